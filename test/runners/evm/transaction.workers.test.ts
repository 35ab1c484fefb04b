// The same in workerd, whose crypto and numbers sign what really goes out.
import { evmContract } from "./evm-contract.ts";

evmContract();

// Runs the chain contract in workerd, whose crypto signs the deployed Worker's transactions.
import { evmContract } from "./evm-contract.ts";

evmContract();

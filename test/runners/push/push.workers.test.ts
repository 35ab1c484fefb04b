// Runs the push encryption tests with workerd's crypto, which the deployed Worker uses.
import { pushEncryption } from "./push-encryption.ts";

pushEncryption();

// Push encryption with workerd's crypto, which is what messages are really encrypted with.
import { pushEncryption } from "./push-encryption.ts";

pushEncryption();

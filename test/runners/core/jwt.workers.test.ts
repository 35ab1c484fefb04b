// Runs the JWT tests with workerd's crypto, which the deployed Worker uses.
import { jwtSigning } from "./jwt-signing.ts";

jwtSigning();

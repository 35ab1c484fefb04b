// Signing with workerd's crypto, which is what tokens are really asked for with.
import { jwtSigning } from "./jwt-signing.ts";

jwtSigning();

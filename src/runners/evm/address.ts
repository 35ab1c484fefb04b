// EVM addresses: with a checksum in the case of letters (EIP-55), or without one.
import { getAddress } from "viem/utils";

/** A wrong checksum, with the right form; null if correct. A single case has no checksum. */
export function checksumWrong(address: string): string | null {
  const digits = address.slice(2);
  if (!/^0x[0-9a-fA-F]{40}$/.test(address) || isOneCase(digits)) return null;
  const right = getAddress(address.toLowerCase());
  if (right === address) return null;
  return `the checksum of ${address} is wrong, so a digit or the case of a letter is; its digits are written ${right}`;
}

/** The encoder refuses an address in capitals only, which means the same as lower case. */
export function withoutCapitals(address: string): string {
  return /^0x[0-9A-F]{40}$/.test(address) ? address.toLowerCase() : address;
}

function isOneCase(digits: string): boolean {
  return digits === digits.toLowerCase() || digits === digits.toUpperCase();
}

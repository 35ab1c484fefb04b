// Addresses as people copy them: with the checksum that capitals carry (EIP-55), or without one.
import { getAddress } from "viem/utils";

/** What is wrong, with the right form; null where nothing is. One case throughout carries no checksum. */
export function checksumWrong(address: string): string | null {
  const digits = address.slice(2);
  if (!/^0x[0-9a-fA-F]{40}$/.test(address) || isOneCase(digits)) return null;
  const right = getAddress(address.toLowerCase());
  if (right === address) return null;
  return `the checksum of ${address} is wrong, so a digit or a capital is: its digits would be written ${right}`;
}

/** The encoder takes no address in capitals throughout, which says no more than one in small letters. */
export function withoutCapitals(address: string): string {
  return /^0x[0-9A-F]{40}$/.test(address) ? address.toLowerCase() : address;
}

function isOneCase(digits: string): boolean {
  return digits === digits.toLowerCase() || digits === digits.toUpperCase();
}

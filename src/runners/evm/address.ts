// EVM addresses: check the checksum of an address, which the case of its letters encodes (EIP-55).
import { getAddress } from "viem/utils";

/**
 * Returns a message with the right spelling if the checksum is wrong. Returns null if it is right, or if all letters
 * have one case, because the address then has no checksum.
 */
export function checksumError(address: string): string | null {
  const digits = address.slice(2);
  if (!/^0x[0-9a-fA-F]{40}$/.test(address) || isOneCase(digits)) return null;
  const right = getAddress(address.toLowerCase());
  if (right === address) return null;
  return `the checksum of ${address} is wrong, because a digit or the case of a letter is wrong. With the correct case, the address is ${right}`;
}

/**
 * Converts an address in capitals to lower case, because the encoder refuses capitals. Both spellings name the same
 * address.
 */
export function lowerCaseIfCapitals(address: string): string {
  return /^0x[0-9A-F]{40}$/.test(address) ? address.toLowerCase() : address;
}

function isOneCase(digits: string): boolean {
  return digits === digits.toLowerCase() || digits === digits.toUpperCase();
}

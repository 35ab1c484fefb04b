// Test contract: the part of ERC-721 that minting needs, in EVM assembly, because no compiler is installed. The
// assembler below translates it.
import { pad, stringToHex, toEventSelector, toFunctionSelector, type Hex } from "viem";

const word = (value: Hex) => pad(value, { size: 32, dir: "right" }).slice(2);

/** The reason of Error(string), encoded as Solidity's require does. */
const closedReason = "minting is closed";

const runtime = `
  PUSH1 00 CALLDATALOAD PUSH1 e0 SHR
  DUP1 PUSH4 ${selector("mint(address,string)")} EQ @mint JUMPI
  DUP1 PUSH4 ${selector("close()")} EQ @close JUMPI
  DUP1 PUSH4 ${selector("count()")} EQ @count JUMPI
  PUSH1 00 PUSH1 00 REVERT

  mint:                                        ; slot 1 says whether minting is closed, slot 0 counts
    PUSH1 01 SLOAD @closed JUMPI
    PUSH1 01 PUSH1 00 SLOAD ADD                ; id
    DUP1 PUSH1 00 SSTORE
    DUP1 PUSH1 04 CALLDATALOAD PUSH1 00        ; Transfer(0, to, id)
    PUSH32 ${toEventSelector("Transfer(address,address,uint256)").slice(2)}
    PUSH1 00 PUSH1 00 LOG4
    PUSH1 00 MSTORE PUSH1 20 PUSH1 00 RETURN   ; returns id
  close:
    PUSH1 01 PUSH1 01 SSTORE STOP
  count:
    PUSH1 00 SLOAD PUSH1 00 MSTORE PUSH1 20 PUSH1 00 RETURN
  closed:                                      ; revert Error("minting is closed")
    PUSH32 ${word("0x08c379a0")} PUSH1 00 MSTORE
    PUSH1 20 PUSH1 04 MSTORE
    PUSH1 ${closedReason.length.toString(16)} PUSH1 24 MSTORE
    PUSH32 ${word(stringToHex(closedReason))} PUSH1 44 MSTORE
    PUSH1 64 PUSH1 00 REVERT
`;

const OPCODES: { readonly [name: string]: number } = {
  STOP: 0x00,
  ADD: 0x01,
  EQ: 0x14,
  SHR: 0x1c,
  CALLDATALOAD: 0x35,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMPI: 0x57,
  PUSH1: 0x60,
  PUSH4: 0x63,
  PUSH32: 0x7f,
  DUP1: 0x80,
  LOG4: 0xa4,
  RETURN: 0xf3,
  REVERT: 0xfd,
};

/**
 * Translates assembly to bytes: `name:` defines a jump target, `@name` pushes it, and hexadecimal digits are copied.
 */
function assembled(source: string): string {
  const words = source.replaceAll(/;.*$/gm, "").split(/\s+/).filter(Boolean);
  const places = new Map<string, number>();
  let size = 0;
  for (const each of words) {
    if (each.endsWith(":")) places.set(each.slice(0, -1), size);
    size += each.startsWith("@") ? 3 : each.endsWith(":") || each in OPCODES ? 1 : each.length / 2;
  }
  const bytes = words.map((each) => {
    if (each.endsWith(":")) return "5b"; // JUMPDEST
    if (each.startsWith("@")) return `61${(places.get(each.slice(1)) ?? 0).toString(16).padStart(4, "0")}`; // PUSH2
    return OPCODES[each]?.toString(16).padStart(2, "0") ?? each;
  });
  return bytes.join("");
}

function selector(signature: string): string {
  return toFunctionSelector(signature).slice(2);
}

/** Returns the deployment code, which copies the contract into memory and returns it. */
export function tokenCode(): Hex {
  const code = assembled(runtime);
  const size = (code.length / 2).toString(16).padStart(4, "0");
  // Thirteen bytes: PUSH2 size, DUP1, PUSH2 000d, PUSH1 00, CODECOPY, PUSH1 00, RETURN.
  return `0x61${size}8061000d6000396000f3${code}`;
}

export const closeData = toFunctionSelector("close()");
export const countData = toFunctionSelector("count()");

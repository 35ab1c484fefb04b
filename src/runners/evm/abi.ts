// Call data: encodes a contract function and its parameters. Without an ABI only a mint with well-known parameters is
// accepted, because a wrong guess could cost gas or execute another function.
import { parseAbi, type Abi, type AbiFunction, type AbiParameter } from "viem";
import { encodeFunctionData } from "viem/utils";
import type { Json, JsonObject } from "#schema/json.ts";
import { MESSAGE_EXCERPT_CHARS_MAX } from "#schema/limits/outgoing/responses.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { checksumWrong, withoutCapitals } from "./address.ts";
import type { EvmConfig } from "./config.ts";

export type CallData =
  | { readonly ok: true; readonly data: `0x${string}`; readonly abi: Abi }
  | ({ readonly ok: false } & Failure);

/** The usual parameters of a mint function, with their types. */
const MINT_SHAPES: readonly (readonly string[])[] = [
  ["address to"],
  ["address to", "string tokenURI"],
  ["address to", "string tokenURI", "string certificateData"],
  ["address to", "uint256 tokenId"],
  ["address to", "uint256 amount"],
  ["address to", "uint256 tokenId", "string tokenURI"],
];

class Wrong extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

export function callDataOf(config: EvmConfig): CallData {
  try {
    const abi = abiOf(config);
    const called = functionIn(abi, config);
    const args = argumentsOf(called, config.parameters);
    const data = encodeFunctionData({ abi: [called], functionName: called.name, args } as Parameters<
      typeof encodeFunctionData
    >[0]); // the ABI is known at run time only
    return { ok: true, data, abi };
  } catch (error) {
    return { ok: false, ...understood(error) };
  }
}

/**
 * Finds an address with a wrong checksum among the parameters. Null if there is none, or if the rest of the config is
 * too incomplete to tell.
 */
export function addressWrongIn(config: unknown): string | null {
  try {
    const given = config as EvmConfig; // for any other value this throws, and other checks report it
    const { inputs } = functionIn(abiOf(given), given);
    const { parameters } = given;
    const byName = parameters as JsonObject;
    const values = inputs.map(({ name = "" }, n) => (Array.isArray(parameters) ? parameters[n] : byName[name]) ?? null);
    return inputs.reduce<string | null>((found, input, n) => found ?? wrongIn(input, values[n] ?? null, n), null);
  } catch {
    return null;
  }
}

function wrongIn(input: AbiParameter, given: Json, n: number): string | null {
  try {
    valueOf(input, given, `parameters.${input.name ?? n}`);
    return null;
  } catch (error) {
    return error instanceof Wrong && error.code === "checksum_wrong" ? error.message : null;
  }
}

function abiOf({ abi, function: name, parameters }: EvmConfig): Abi {
  if (abi === undefined) return parseAbi([inferred(name, parameters)] as readonly string[]) as Abi; // the ABI is known at run time only
  const fragments = Array.isArray(abi) ? (abi as readonly (string | JsonObject)[]) : [abi as string | JsonObject]; // isArray does not narrow read-only lists
  const texts = fragments.filter((each) => typeof each === "string");
  const readable = texts.length === 0 ? [] : (parseAbi(texts as readonly string[]) as Abi); // the ABI is known at run time only
  // invalid fragments are reported when they are used
  return [...readable, ...fragments.filter((each) => typeof each !== "string")] as Abi;
}

function inferred(name: string, parameters: EvmConfig["parameters"]): string {
  const given = Array.isArray(parameters) ? null : Object.keys(parameters).toSorted().join();
  const shape = name === "mint" ? MINT_SHAPES.find((each) => namesIn(each).toSorted().join() === given) : undefined;
  if (shape !== undefined) return `function ${name}(${shape.join(", ")})`;
  const known =
    name === "mint" ? ` (mint is known with ${MINT_SHAPES.map((each) => namesIn(each).join("+")).join(", ")})` : "";
  const example = `"function ${name}(address to, uint256 amount)"`;
  throw new Wrong(
    `abi: the parameters of ${name} are unknown; give its ABI fragment, such as ${example}${known}`,
    "abi_missing",
  );
}

function namesIn(shape: readonly string[]): string[] {
  return shape.map((each) => each.split(" ")[1] ?? "");
}

/** Finds the function by its name. Of several overloads it takes the one whose parameters match. */
function functionIn(abi: Abi, { function: name, parameters }: EvmConfig): AbiFunction {
  const named = abi.filter((each): each is AbiFunction => each.type === "function" && each.name === name);
  if (named.length === 0) throw new Wrong(`function: the ABI has no function ${name}`, "function_missing");
  const fitting = named.length === 1 ? named : named.filter((each) => fits(each, parameters));
  const [called] = fitting;
  if (called === undefined || fitting.length > 1) {
    const message = `function: the ABI has ${named.length} functions ${name}, and ${fitting.length} accept these parameters; keep one`;
    throw new Wrong(message, "function_ambiguous");
  }
  if (called.stateMutability === "view" || called.stateMutability === "pure") {
    throw new Wrong(`function: ${name} only reads, so no transaction is needed`, "function_reads_only");
  }
  return called;
}

function fits({ inputs }: AbiFunction, parameters: EvmConfig["parameters"]): boolean {
  if (Array.isArray(parameters)) return parameters.length === inputs.length;
  const names = inputs.map(({ name }) => name);
  return names.toSorted().join() === Object.keys(parameters).toSorted().join();
}

function argumentsOf({ inputs }: AbiFunction, parameters: EvmConfig["parameters"]): unknown[] {
  return valuesOf(inputs, parameters as Json, "parameters");
}

/** Converts the parameters: a list in order, or an object by name. All parameters must be present, and no others. */
function valuesOf(inputs: readonly AbiParameter[], given: Json, path: string): unknown[] {
  if (given === null || typeof given !== "object")
    throw new Wrong(`${path}: must be an object or a list`, "parameters_invalid");
  if (isList(given)) {
    if (given.length !== inputs.length) {
      throw new Wrong(`${path}: ${given.length} given, ${inputs.length} expected`, "parameters_invalid");
    }
    return inputs.map((input, n) => valueOf(input, given[n] ?? null, `${path}.${n}`));
  }
  const names = inputs.map(({ name }) => name ?? "");
  if (names.includes(""))
    throw new Wrong(`${path}: the ABI has no parameter names here; give a list`, "parameters_invalid");
  const wrong = [
    ...names.filter((name) => !Object.hasOwn(given, name)).map((name) => `${name} is missing`),
    ...Object.keys(given)
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is unknown`),
  ];
  if (wrong.length > 0) throw new Wrong(`${path}: ${wrong.join(", ")}`, "parameters_invalid");
  return inputs.map((input) => valueOf(input, given[input.name ?? ""] ?? null, `${path}.${input.name}`));
}

function valueOf(input: AbiParameter, given: Json, path: string): unknown {
  const { type } = input;
  const list = /^(.*)\[\d*\]$/.exec(type);
  if (list !== null) {
    if (!isList(given)) throw new Wrong(`${path}: must be a list, for ${type}`, "parameters_invalid");
    return given.map((item, n) => valueOf({ ...input, type: list[1] ?? "" }, item, `${path}.${n}`));
  }
  if ("components" in input) {
    const values = valuesOf(input.components, given, path);
    return input.components.every(({ name }) => name)
      ? Object.fromEntries(input.components.map(({ name }, n) => [name, values[n]]))
      : values;
  }
  const wrong = type === "address" && typeof given === "string" ? checksumWrong(given) : null;
  if (wrong !== null) throw new Wrong(`${path}: ${wrong}`, "checksum_wrong");
  const value = scalarOf(type, given);
  if (value === undefined)
    throw new Wrong(`${path}: ${JSON.stringify(given)?.slice(0, 80)} is not a valid ${type}`, "parameters_invalid");
  return value;
}

/** Converts a scalar. undefined: the value is invalid. The encoder checks lengths, ranges and checksums. */
function scalarOf(type: string, given: Json): unknown {
  if (/^u?int\d*$/.test(type)) {
    if (typeof given === "number") return Number.isSafeInteger(given) ? BigInt(given) : undefined;
    return typeof given === "string" && /^(?:-?\d+|0x[0-9a-fA-F]+)$/.test(given) ? BigInt(given) : undefined;
  }
  if (type === "bool")
    return given === "true" || given === "false" ? given === "true" : typeof given === "boolean" ? given : undefined;
  if (type === "string")
    return typeof given === "string" ? given : typeof given === "number" ? String(given) : undefined;
  if (typeof given !== "string" || !/^0x(?:[0-9a-fA-F]{2})*$/.test(given)) return undefined;
  return type === "address" ? withoutCapitals(given) : given;
}

function understood(error: unknown): Failure {
  if (error instanceof Wrong) return configurationFailure(error.message, error.code);
  const said =
    error instanceof Error ? ((error as { shortMessage?: string }).shortMessage ?? error.message) : String(error);
  return configurationFailure(`abi or parameters: ${said.slice(0, MESSAGE_EXCERPT_CHARS_MAX)}`, "call_invalid");
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

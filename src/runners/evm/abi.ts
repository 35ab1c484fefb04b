// Call data: encodes a contract function and its parameters. Without an ABI only a mint with well-known parameters is
// accepted, because a wrong guess could cost gas or execute another function.
import { parseAbi, type Abi, type AbiFunction, type AbiParameter } from "viem";
import { encodeFunctionData } from "viem/utils";
import type { Json, JsonObject } from "#schema/json.ts";
import { MESSAGE_EXCERPT_CHARS_MAX } from "#schema/limits/outgoing/responses.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { checksumError, lowerCaseIfCapitals } from "./address.ts";
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

class CallDataError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

export function callDataOf(config: EvmConfig): CallData {
  try {
    const abi = abiOf(config);
    const abiFunction = findFunction(abi, config);
    const args = argumentsOf(abiFunction, config.parameters);
    const data = encodeFunctionData({ abi: [abiFunction], functionName: abiFunction.name, args } as Parameters<
      typeof encodeFunctionData
    >[0]); // the ABI is known at run time only
    return { ok: true, data, abi };
  } catch (error) {
    return { ok: false, ...callDataFailure(error) };
  }
}

/**
 * Finds a parameter that is an address with a wrong checksum. Returns null if there is no such address, or if the rest
 * of the config is too incomplete to find the addresses.
 */
export function findChecksumError(config: unknown): string | null {
  try {
    const value = config as EvmConfig; // If the value is not such a config, the code below throws and the result is null. Other checks report the config.
    const { inputs } = findFunction(abiOf(value), value);
    const { parameters } = value;
    const byName = parameters as JsonObject;
    const values = inputs.map(({ name = "" }, n) => (Array.isArray(parameters) ? parameters[n] : byName[name]) ?? null);
    return inputs.reduce<string | null>(
      (found, input, n) => found ?? checksumErrorIn(input, values[n] ?? null, n),
      null,
    );
  } catch {
    return null;
  }
}

function checksumErrorIn(input: AbiParameter, value: Json, n: number): string | null {
  try {
    valueOf(input, value, `parameters.${input.name ?? n}`);
    return null;
  } catch (error) {
    return error instanceof CallDataError && error.code === "checksum_wrong" ? error.message : null;
  }
}

function abiOf({ abi, function: name, parameters }: EvmConfig): Abi {
  if (abi === undefined) return parseAbi([inferSignature(name, parameters)] as readonly string[]) as Abi; // the ABI is known at run time only
  const fragments = Array.isArray(abi) ? (abi as readonly (string | JsonObject)[]) : [abi as string | JsonObject]; // isArray does not narrow read-only lists
  const texts = fragments.filter((each) => typeof each === "string");
  const readable = texts.length === 0 ? [] : (parseAbi(texts as readonly string[]) as Abi); // the ABI is known at run time only
  // invalid fragments are reported when they are used
  return [...readable, ...fragments.filter((each) => typeof each !== "string")] as Abi;
}

function inferSignature(name: string, parameters: EvmConfig["parameters"]): string {
  const value = Array.isArray(parameters) ? null : Object.keys(parameters).toSorted().join();
  const shape = name === "mint" ? MINT_SHAPES.find((each) => namesIn(each).toSorted().join() === value) : undefined;
  if (shape !== undefined) return `function ${name}(${shape.join(", ")})`;
  const known =
    name === "mint" ? ` (mint is known with ${MINT_SHAPES.map((each) => namesIn(each).join("+")).join(", ")})` : "";
  const example = `"function ${name}(address to, uint256 amount)"`;
  throw new CallDataError(
    `abi: the parameters of ${name} are unknown; give its ABI fragment, such as ${example}${known}`,
    "abi_missing",
  );
}

function namesIn(shape: readonly string[]): string[] {
  return shape.map((each) => each.split(" ")[1] ?? "");
}

/** Finds the function by its name. Of several overloads it takes the one whose parameters match. */
function findFunction(abi: Abi, { function: name, parameters }: EvmConfig): AbiFunction {
  const named = abi.filter((each): each is AbiFunction => each.type === "function" && each.name === name);
  if (named.length === 0) throw new CallDataError(`function: the ABI has no function ${name}`, "function_missing");
  const candidates = named.length === 1 ? named : named.filter((each) => acceptsParameters(each, parameters));
  const [abiFunction] = candidates;
  if (abiFunction === undefined || candidates.length > 1) {
    const message = `function: of ${named.length} functions ${name} in the ABI, ${candidates.length} accept these parameters; keep one function`;
    throw new CallDataError(message, "function_ambiguous");
  }
  if (abiFunction.stateMutability === "view" || abiFunction.stateMutability === "pure") {
    throw new CallDataError(`function: ${name} only reads, so no transaction is needed`, "function_reads_only");
  }
  return abiFunction;
}

function acceptsParameters({ inputs }: AbiFunction, parameters: EvmConfig["parameters"]): boolean {
  if (Array.isArray(parameters)) return parameters.length === inputs.length;
  const names = inputs.map(({ name }) => name);
  return names.toSorted().join() === Object.keys(parameters).toSorted().join();
}

function argumentsOf({ inputs }: AbiFunction, parameters: EvmConfig["parameters"]): unknown[] {
  return valuesOf(inputs, parameters as Json, "parameters");
}

/** Converts the parameters: a list in order, or an object by name. A missing or additional parameter is refused. */
function valuesOf(inputs: readonly AbiParameter[], value: Json, path: string): unknown[] {
  if (value === null || typeof value !== "object")
    throw new CallDataError(`${path}: must be an object or a list`, "parameters_invalid");
  if (isList(value)) {
    if (value.length !== inputs.length) {
      throw new CallDataError(
        `${path}: the number of values is ${value.length}, but must be ${inputs.length}`,
        "parameters_invalid",
      );
    }
    return inputs.map((input, n) => valueOf(input, value[n] ?? null, `${path}.${n}`));
  }
  const names = inputs.map(({ name }) => name ?? "");
  if (names.includes(""))
    throw new CallDataError(`${path}: the ABI has no names for these parameters; give a list`, "parameters_invalid");
  const problems = [
    ...names.filter((name) => !Object.hasOwn(value, name)).map((name) => `${name} is missing`),
    ...Object.keys(value)
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is unknown`),
  ];
  if (problems.length > 0) throw new CallDataError(`${path}: ${problems.join(", ")}`, "parameters_invalid");
  return inputs.map((input) => valueOf(input, value[input.name ?? ""] ?? null, `${path}.${input.name}`));
}

function valueOf(input: AbiParameter, value: Json, path: string): unknown {
  const { type } = input;
  const list = /^(.*)\[\d*\]$/.exec(type);
  if (list !== null) {
    if (!isList(value)) throw new CallDataError(`${path}: must be a list, for ${type}`, "parameters_invalid");
    return value.map((item, n) => valueOf({ ...input, type: list[1] ?? "" }, item, `${path}.${n}`));
  }
  if ("components" in input) {
    const values = valuesOf(input.components, value, path);
    return input.components.every(({ name }) => name)
      ? Object.fromEntries(input.components.map(({ name }, n) => [name, values[n]]))
      : values;
  }
  const wrongChecksum = type === "address" && typeof value === "string" ? checksumError(value) : null;
  if (wrongChecksum !== null) throw new CallDataError(`${path}: ${wrongChecksum}`, "checksum_wrong");
  const converted = scalarOf(type, value);
  if (converted === undefined) {
    const shown = JSON.stringify(value)?.slice(0, 80);
    throw new CallDataError(`${path}: ${shown} is not a valid ${type}`, "parameters_invalid");
  }
  return converted;
}

/**
 * Converts a scalar to the parameter's type. Returns undefined if the value is invalid. The encoder checks lengths,
 * ranges and checksums.
 */
function scalarOf(type: string, value: Json): unknown {
  if (/^u?int\d*$/.test(type)) {
    if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
    return typeof value === "string" && /^(?:-?\d+|0x[0-9a-fA-F]+)$/.test(value) ? BigInt(value) : undefined;
  }
  if (type === "bool") {
    if (value === "true" || value === "false") return value === "true";
    return typeof value === "boolean" ? value : undefined;
  }
  if (type === "string") {
    if (typeof value === "number") return String(value);
    return typeof value === "string" ? value : undefined;
  }
  if (typeof value !== "string" || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) return undefined;
  return type === "address" ? lowerCaseIfCapitals(value) : value;
}

function callDataFailure(error: unknown): Failure {
  if (error instanceof CallDataError) return configurationFailure(error.message, error.code);
  const errorText =
    error instanceof Error ? ((error as { shortMessage?: string }).shortMessage ?? error.message) : String(error);
  return configurationFailure(`abi or parameters: ${errorText.slice(0, MESSAGE_EXCERPT_CHARS_MAX)}`, "call_invalid");
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

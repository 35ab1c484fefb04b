// Texts of many small parts: as many as bytes and values of a body may be, since what is above a limit is refused before it costs.
import { jsonShape } from "../../src/schema/json.ts";
import { BODY_VALUES_MAX } from "../../src/schema/limits/api-requests.ts";

/** With room for what stands around. */
export const VALUES = BODY_VALUES_MAX - 5_000;

export function repeated(bytes: number, part: string, values = VALUES): string {
  const each = jsonShape(part).values;
  const count = Math.min(Math.floor(bytes / (part.length + 1)), Math.floor(values / each));
  return `[${Array.from({ length: count }, () => part).join(",")}]`;
}

export function manyNames(bytes: number, name: (n: number) => string, value: string, values = VALUES): string {
  const each = jsonShape(value).values;
  const members: string[] = [];
  for (let length = 0; members.length * each < values;) {
    const member = `${JSON.stringify(name(members.length))}:${value}`;
    length += member.length + 1;
    if (length > bytes) break;
    members.push(member);
  }
  return `{${members.join(",")}}`;
}

/** As deep as a body may nest, and a little less for what stands around it. */
export function deepLists(bytes: number, depth = 190): string {
  return repeated(bytes, "[".repeat(depth) + "]".repeat(depth));
}

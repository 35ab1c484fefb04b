// Tests of mailboxes: a quoted display name is parsed and formatted without a change.
import { expect, it } from "vitest";
import { formatMailbox, parseMailbox } from "#runners/core/mailbox.ts";

const email = "ada@example.com";

it.each<[text: string, name: string | null]>([
  ["ada@example.com", null],
  ["Ada <ada@example.com>", "Ada"],
  ['"Lovelace, Ada" <ada@example.com>', "Lovelace, Ada"],
  ['"Ada \\"Ace\\" Lovelace" <ada@example.com>', 'Ada "Ace" Lovelace'],
  ['"back\\\\slash" <ada@example.com>', "back\\slash"],
  ['"ends with \\\\" <ada@example.com>', "ends with \\"],
])("%s has the name %s, and is formatted as it was written", (text, name) => {
  expect(parseMailbox(text)).toEqual({ email, name });
  expect(formatMailbox({ email, name })).toBe(text);
});

it.each<[text: string, name: string]>([
  ['"" <ada@example.com>', ""],
  ["Ada \\ Lovelace <ada@example.com>", "Ada \\ Lovelace"],
  ['"Ada\\" <ada@example.com>', "Ada\\"],
  ['"Ada" Lovelace <ada@example.com>', '"Ada" Lovelace'],
])("%s has the name %j", (text, name) => {
  expect(parseMailbox(text)).toEqual({ email, name: name || null });
});

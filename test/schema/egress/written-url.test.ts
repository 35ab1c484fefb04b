// URLs where they are written: what is literal is judged as each attempt would judge it, what templates fill in is not.
import { describe, expect, it, test } from "vitest";
import { egressRefusal } from "#schema/egress/egress.ts";
import { writtenUrlFindings, writtenUrlRefusal } from "#schema/egress/written-url.ts";

const terms = { allowLoopback: false };
const local = { allowLoopback: true };

describe("a literal URL", () => {
  it.each([
    "https://0x7f.1/",
    "http://169.254.169.254/",
    "https://169.254.169.254/latest/meta-data",
    "http://[::ffff:10.0.0.1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://user:pw@host.example/",
    "https://user@host.example/",
    "file:///etc/passwd",
    "ftp://files.example.com/a",
    "javascript:alert(1)",
    "http://example.com/",
    "https://localhost/",
    "https://example.com:22/",
  ])("%s is refused in the words of the guard", (url) => {
    expect(egressRefusal(url, terms)).not.toBeNull();
    expect(writtenUrlRefusal(url, terms)).toBe(egressRefusal(url, terms));
  });

  it.each(["https://example.com/hook?a=@b", "https://example.com:8443/", "not a URL", "", "/relative"])(
    "%s is not",
    (url) => expect(writtenUrlRefusal(url, terms)).toBeNull(),
  );
});

describe("a URL with templates", () => {
  it.each([
    "https://169.254.169.254/{{ path }}",
    "https://10.0.0.1?a={{ a }}",
    " \thttps:/\\0x7f.1\\{{ path }}",
    "https:10.0.0.1/{% if a %}b{% endif %}",
    "file://{{ path }}",
    "ftp://{{ host }}/",
    "http://{{ host }}/",
    "https://user:pw@{{ host }}/",
    "https://{{ user }}:{{ secrets.pw }}@example.com/",
    "https://example.com:22/{{ a }}",
  ])("%s is refused for its literal part", (url) => expect(writtenUrlRefusal(url, terms)).not.toBeNull());

  it.each([
    "{{ url }}",
    "{{ scheme }}://10.0.0.1/",
    "https://{{ host }}/",
    "https://10.0.0.{{ last }}/",
    "https://localhost{{ rest }}/",
    "https://[{{ address }}]/",
    "https://example.com/{{ a }}@b",
    "https://example.com{{ port }}/x",
    "{% if a %}https://10.0.0.1/{% endif %}",
    "https://{{ open",
  ])("%s is left to each attempt", (url) => expect(writtenUrlRefusal(url, terms)).toBeNull());
});

test("local work opens http: and loopback, and nothing else", () => {
  const opened = ["http://127.0.0.1:8788/sink", "http://localhost/{{ path }}", "http://{{ host }}/"];
  for (const url of opened) expect(writtenUrlRefusal(url, local)).toBeNull();
  const closed = ["http://10.0.0.1/", "http://169.254.169.254/{{ a }}", "file:///a", "http://a:b@127.0.0.1/"];
  for (const url of closed) expect(writtenUrlRefusal(url, local)).not.toBeNull();
});

test("findings name each place, of lists each item", () => {
  const value = { url: "https://10.0.0.1/", files: [{ url: "https://example.com" }, { url: "ftp://a.example/" }, 1] };
  const pointers = ["/url", "/files/*/url", "/missing/url", "/url/deeper"];
  expect(writtenUrlFindings(value, pointers, terms)).toMatchObject([
    { pointer: "/url", code: "egress_refused" },
    { pointer: "/files/1/url", code: "egress_refused" },
  ]);
});

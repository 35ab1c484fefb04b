// The guard's table: every notation we know of for an address nobody's action may call, and what stays open.
import { describe, expect, it } from "vitest";
import { reservedAddress } from "#schema/egress/address.ts";
import { egressRefusal } from "#schema/egress/egress.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

const refusal = (url: string) => egressRefusal(url, { allowLoopback: false });
/** What an address is for, in the product's words. */
const kindOf = (address: string) => reservedAddress(address) ?? "public";
const local = (url: string) => egressRefusal(url, { allowLoopback: true });

const OPEN = [
  "https://example.com/",
  "https://EXAMPLE.com./x?y#z",
  "https://example.com:443/",
  "https://api.example.com:8443/",
  "https://xn--bcher-kva.example/",
  "https://bücher.example/",
  "https://1.1.1.1/",
  "https://8.8.8.8:8443/",
  "https://172.15.255.255/",
  "https://172.32.0.1/",
  "https://100.63.255.255/",
  "https://100.128.0.1/",
  "https://11.0.0.1/",
  "https://169.253.1.1/",
  "https://223.255.255.255/",
  "https://[2606:4700:4700::1111]/",
  "https://[2a00:1450:4001::1]/",
  "https://localhost.example.com/",
  "https://internal.example.com/",
  "https://mylocal.example/",
  "https://notlocalhost.com/",
  "https://8.8.8.8.nip.io/",
  "https://app-8-8-8-8.sslip.io/",
  "https://v10-2-0-1.example.com/",
  "https://deadbeef.example.com/",
  "https://ec2-10-0-0-1.compute.example.com/",
  "https://hooks.example.com/services/10.0.0.1",
];

const LOOPBACK = [
  "https://127.0.0.1/",
  "https://127.0.0.1./",
  "https://127.255.255.254/",
  "https://127.1/",
  "https://127.0.1/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0x7F.1/",
  "https://0x7f.0x0.0x0.0x1/",
  "https://0177.0.0.1/",
  "https://017700000001/",
  "https://00000177.1/",
  "https://１２７.0.0.1/",
  "https://127。0。0。1/",
  "https://①②⑦.0.0.1/",
  "https://%31%32%37.0.0.1/",
  "https://[::1]/",
  "https://[0:0:0:0:0:0:0:1]/",
  "https://[0000::0001]/",
  "https://localhost/",
  "https://LOCALHOST/",
  "https://localhost./",
  "https://localhost../",
  "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
  "https://loc%61lhost/",
  "https://local\thost/",
  "https:127.0.0.1/",
  "https:\\\\127.0.0.1\\x",
];

const PRIVATE = [
  "https://0.0.0.0/",
  "https://0/",
  "https://0.1.2.3/",
  "https://10.0.0.1/",
  "https://10.1/",
  "https://0xa000001/",
  "https://012.0.0.1/",
  "https://167772161/",
  "https://172.16.0.1/",
  "https://172.31.255.255/",
  "https://192.168.0.1/",
  "https://192.168.1/",
  "https://0xc0a80001/",
  "https://100.64.0.1/",
  "https://100.127.255.255/",
  "https://169.254.0.1/",
  "https://192.0.0.1/",
  "https://192.0.2.1/",
  "https://198.51.100.1/",
  "https://203.0.113.9/",
  "https://198.18.0.1/",
  "https://198.19.255.255/",
  "https://192.88.99.1/",
  "https://224.0.0.1/",
  "https://239.255.255.255/",
  "https://240.0.0.1/",
  "https://255.255.255.255/",
  "https://4294967295/",
  "https://[::]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::FFFF:7f00:1]/",
  "https://[::ffff:8.8.8.8]/",
  "https://[::127.0.0.1]/",
  "https://[::10.0.0.1]/",
  "https://[64:ff9b::10.0.0.1]/",
  "https://[64:ff9b:1::a00:1]/",
  "https://[2002:a00:1::]/",
  "https://[2002:7f00:1::1]/",
  "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
  "https://[2001:10::1]/",
  "https://[2001:db8::1]/",
  "https://[3fff::1]/",
  "https://[fc00::1]/",
  "https://[fd12:3456::1]/",
  "https://[fe80::1]/",
  "https://[FEBF::1]/",
  "https://[fec0::1]/",
  "https://[ff02::1]/",
  "https://[100::1]/",
  "https://[4000::1]/",
  "https://[5f00::1]/",
];

const METADATA = [
  "https://169.254.169.254/latest/meta-data/",
  "https://0xa9fea9fe/",
  "https://2852039166/",
  "https://0251.0376.0251.0376/",
  "https://169.254.43518/",
  "https://[::ffff:a9fe:a9fe]/",
  "https://[fd00:ec2::254]/",
  "https://[fd20:ce::254]/",
  "https://100.100.100.200/",
  "https://168.63.129.16/",
  "https://metadata.google.internal/",
  "https://METADATA.google.internal./",
  "https://metadata/",
  "https://instance-data/",
  "https://instance-data.ec2.internal/",
];

const NAMES = [
  "https://intranet/",
  "https://db/",
  "https://printer.local/",
  "https://a.localhost/",
  "https://foo.internal/",
  "https://nas.lan/",
  "https://router.home.arpa/",
  "https://kubernetes.default.svc/",
  "https://api.default.svc.cluster.local/",
  "https://x.localdomain/",
  "https://server.corp/",
  "https://localtest.me/",
  "https://a.b.localtest.me/",
  "https://lvh.me/",
  "https://LVH.me./",
  "https://127.0.0.1.nip.io/",
  "https://app.10.0.0.1.nip.io/",
  "https://app-10-0-0-1.nip.io/",
  "https://10-0-0-1.sslip.io/",
  "https://www-192-168-0-10.sslip.io/",
  "https://0a000001.nip.io/",
  "https://app-7f000001.nip.io/",
  "https://169-254-169-254.sslip.io/",
  "https://--1.sslip.io/",
  "https://www.--1.sslip.io/",
  "https://fe80--1.sslip.io/",
  "https://0-0-0-0-0-0-0-1.sslip.io/",
  "https://10.0.0.1.rebind.example.com/",
  "https://x.1.127.0.0.1.example.com/",
  "https://127.0.0.1.xip.io/",
  "https://10.0.0.1.traefik.me/",
];

const SCHEMES = [
  "http://example.com/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "data:text/plain,x",
  "javascript:alert(1)",
  "ws://example.com/",
  "wss://example.com/",
  "gopher://example.com/",
  "blob:https://example.com/1",
  "//example.com/",
  "example.com",
  "",
  " ",
  "https://",
  "https:///",
  "https://[::1",
  "https://[fe80::1%25eth0]/",
  "https://256.1.1.1/",
  "https://foo.127.1/",
  "https://a b/",
];

const ODD_PORTS = [
  "https://example.com:22/",
  "https://example.com:80/",
  "https://example.com:6379/",
  "https://1.1.1.1:1/",
  "https://example.com:65535/",
];
const CREDENTIALS = [
  "https://user@example.com/",
  "https://user:pass@example.com/",
  "https://:pass@example.com/",
  "https://example.com@10.0.0.1/",
];

describe("by default", () => {
  it.each(OPEN)("lets %s through", (url) => expect(refusal(url)).toBeNull());
  it.each([...LOOPBACK, ...PRIVATE, ...METADATA, ...NAMES, ...SCHEMES, ...ODD_PORTS, ...CREDENTIALS])(
    "refuses %j",
    (url) => {
      expect(refusal(url)).toMatch(/^\S.+\w$/);
    },
  );
});

describe("with loopback open for local work", () => {
  it.each([...OPEN, ...LOOPBACK])("lets %s through", (url) => expect(local(url)).toBeNull());
  it.each([
    "http://127.0.0.1:8787/x",
    "http://localhost:3000/",
    "http://[::1]:9/",
    "https://localhost:22/",
    "http://example.com/",
  ])("lets %s through", (url) => expect(local(url)).toBeNull());
  it.each([...PRIVATE, ...METADATA, ...NAMES, ...ODD_PORTS, ...CREDENTIALS])("still refuses %j", (url) => {
    expect(local(url)).not.toBeNull();
  });
  it.each([
    "http://10.0.0.1/",
    "http://user@localhost/",
    "http://169.254.169.254/",
    "http://example.com:22/",
    "ftp://localhost/",
  ])("still refuses %j", (url) => expect(local(url)).not.toBeNull());
});

it.each([
  ["https://0x7f.1/", ["127.0.0.1", kindOf("127.0.0.1")]],
  ["https://2852039166/", ["169.254.169.254", kindOf("169.254.169.254")]],
  ["https://[2002:a00:1::]/", ["2002:a00:1::", kindOf("2002:a00:1::")]],
  ["http://example.com/?t=1", ["http:", "https:"]],
  ["https://u:hunter2@example.com/", ["example.com"]],
  ["https://example.com:22/", ["example.com", 22, 443, 8443]],
  ["https://app-10-0-0-1.nip.io/", ["app-10-0-0-1.nip.io", "10.0.0.1", kindOf("10.0.0.1")]],
])("says what and why: %s", (url, values) => {
  expect(refusal(url)).toMatch(namingPattern(...values));
  expect(refusal(url)).not.toMatch(/hunter2|t=1/);
});

it("has a word for each kind of address", () => {
  const kinds = ["127.0.0.1", "169.254.169.254", "2002:a00:1::", "10.0.0.1"].map(kindOf);
  expect(new Set(kinds).size).toBe(4);
});

// TypeScript compiler API for openapi-typescript. TypeScript 7 has no JavaScript API, so this package supplies an older
// compiler. It adds no second `tsc` command.
export { ts as default } from "@ts-morph/common";

// The compiler that openapi-typescript writes types with: TypeScript 7 has no API in JavaScript, and this package brings
// the last one that had, without a second `tsc` that would take the place of ours.
export { ts as default } from "@ts-morph/common";

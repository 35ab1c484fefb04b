// One Idempotency-Key stands for a whole batch: the n-th request without a key of its own has the key `<key>.<n>`.
export function batchKey(key: string | null, n: number): string | null {
  return key === null ? null : `${key}.${n}`;
}

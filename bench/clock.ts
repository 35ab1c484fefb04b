// Returns milliseconds since 1970, with fractions. The client and the sink's thread read the same clock.
export function clock(): number {
  return performance.timeOrigin + performance.now();
}

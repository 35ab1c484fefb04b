// Destination: the recipient of an action, in words that a person recognizes before a retry.

export type Destination = {
  /** The content of `to`: recipients, an address, a channel, a chain … */
  readonly kind: string;
  readonly to: readonly string[];
};

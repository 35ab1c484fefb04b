// Action type names. Clients may use an alias for some types. The engine stores only the type's own name.
import { z } from "zod";

export const typeAliases: { readonly [alias: string]: string } = { notification: "push", generic: "api_call" };

export const actionType = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, { message: "must be a runner's name such as webhook" })
  .overwrite((written) => (Object.hasOwn(typeAliases, written) ? (typeAliases[written] ?? written) : written));

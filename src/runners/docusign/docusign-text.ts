// DocuSign texts: schemas for DocuSign's fields, which are all texts. A rendered template may return a number or
// boolean, which is converted.
import { scalar } from "../http/request.ts";

export const text = scalar.transform(String);

const textMatching = (form: RegExp, message: string) =>
  scalar.transform(String).refine((value) => form.test(value), { message });

/** A number from 1: ids of documents and recipients, pages, and orders. */
export const positiveNumber = textMatching(/^[1-9]\d{0,8}$/, "must be a whole number from 1");
export const wholeNumber = textMatching(/^\d{1,5}$/, "must be a whole number");
export const offset = textMatching(/^-?\d{1,5}(?:\.\d{1,3})?$/, "must be a number such as 12 or -0.5");
export const flag = textMatching(/^(?:true|false)$/, "must be true or false");

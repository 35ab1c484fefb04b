// Vite imports a file with "?raw" as its text.
declare module "*.ics?raw" {
  const text: string;
  export default text;
}

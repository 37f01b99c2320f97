/** A style sheet as text, as Vite hands it over. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}

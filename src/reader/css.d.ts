/** A style sheet as text, by Vite’s suffix `?inline`. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}

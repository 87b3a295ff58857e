// The bundler turns the import of a style sheet into a file beside the script.
declare module '*.css';

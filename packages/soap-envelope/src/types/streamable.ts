/**
 * A message whose repeated elements may be async iterables instead of arrays. `for await` reads
 * both.
 */
export type Streamable<Message> = unknown extends Message
  ? Message
  : {
      [Name in keyof Message]: Message[Name] extends readonly (infer Item)[]
        ? Message[Name] | AsyncIterable<Item>
        : Message[Name]
    }

// The messages of a .meta file, read by the library.
import { fromBinary } from '@bufbuild/protobuf'
import { MetaGraphDefSchema, type NodeDef } from './meta_graph_pb.ts'

/** None of bytes that are no such message. */
export function nodesOf(bytes: Uint8Array): readonly NodeDef[] {
  try {
    return fromBinary(MetaGraphDefSchema, bytes, { readUnknownFields: false }).graphDef?.node ?? []
  } catch {
    // The library throws errors of several kinds for broken bytes, and for nothing else.
    return []
  }
}

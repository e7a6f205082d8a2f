# Runs msaccucmp as mindstudio-probe 26.2.0 has it, on a machine without CANN:
#   msaccucmp.py <its arguments>    a command as it is typed
#   msaccucmp.py decode <folder>    every file into arrays in memory; prints seconds of processor time, and an md5
# Its code is unchanged. Only the one closed library that it calls, which turns a header into JSON, is
# replaced by Google's protobuf (in C), so that it costs msaccucmp no more than it would with CANN.
import ctypes
import importlib.util
import json
import os
import sys

package = os.path.join(os.path.dirname(importlib.util.find_spec("msprobe").origin), "msaccucmp")
sys.path.insert(0, package)

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

# Fields by number: (name, number, type, repeated). A type that is no word of protobuf is a message of ours.
MESSAGES = {
    "Shape": [("dim", 1, "UINT64", True)],
    "OriginalOp": [("name", 1, "STRING", False), ("output_index", 2, "UINT32", False),
                   ("data_type", 3, "INT32", False), ("format", 4, "INT32", False)],
    "OpOutput": [("data_type", 1, "INT32", False), ("format", 2, "INT32", False), ("shape", 3, "Shape", False),
                 ("original_op", 4, "OriginalOp", False), ("size", 6, "UINT64", False),
                 ("original_shape", 7, "Shape", False), ("sub_format", 8, "INT32", False),
                 ("address", 9, "UINT64", False)],
    "OpInput": [("data_type", 1, "INT32", False), ("format", 2, "INT32", False), ("shape", 3, "Shape", False),
                ("size", 5, "UINT64", False), ("original_shape", 6, "Shape", False),
                ("sub_format", 7, "INT32", False), ("address", 8, "UINT64", False)],
    "OpBuffer": [("buffer_type", 1, "INT32", False), ("size", 3, "UINT64", False)],
    "OpAttr": [("name", 1, "STRING", False), ("value", 2, "STRING", False)],
    "Workspace": [("type", 1, "INT32", False), ("size", 3, "UINT64", False)],
    "DumpData": [("version", 1, "STRING", False), ("dump_time", 2, "UINT64", False), ("output", 3, "OpOutput", True),
                 ("input", 4, "OpInput", True), ("buffer", 5, "OpBuffer", True), ("op_name", 6, "STRING", False),
                 ("attr", 7, "OpAttr", True), ("space", 8, "Workspace", True)],
}


def schema():
    file = descriptor_pb2.FileDescriptorProto(name="dump.proto", package="dump", syntax="proto3")
    words = descriptor_pb2.FieldDescriptorProto
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for field, number, kind, repeated in fields:
            one = message.field.add(name=field, number=number)
            one.label = words.LABEL_REPEATED if repeated else words.LABEL_OPTIONAL
            if kind in MESSAGES:
                one.type, one.type_name = words.TYPE_MESSAGE, ".dump." + kind
            else:
                one.type = getattr(words, "TYPE_" + kind)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("dump.DumpData"))


DumpData = schema()


def plain(message):
    out = {}
    for field, value in message.ListFields():
        if field.name == "dim":
            out["dim"] = list(value)
        elif field.message_type is None:
            out[field.name] = value
        elif hasattr(value, "ListFields"):
            out[field.name] = plain(value)
        else:
            out[field.name] = [plain(one) for one in value]
    return out


class Library:
    """What the closed library exports, with its arguments: the bytes, how many, and where the JSON goes."""

    @staticmethod
    def ParseDumpProtoToJson(data, size, path):
        whole = memoryview((ctypes.c_char * size.value).from_address(ctypes.cast(data, ctypes.c_void_p).value))
        length = int.from_bytes(whole[:8], "little")
        message = DumpData.FromString(bytes(whole[8:8 + length]))
        with open(path, "w", encoding="utf-8") as sink:
            json.dump(plain(message), sink)
        return 0


from dump_parse import big_dump_data
from dump_parse.big_dump_data import BigDumpDataParser


class Ctypes:
    """The module as msaccucmp uses it, with our library in it."""

    c_char_p, c_size_t = ctypes.c_char_p, ctypes.c_size_t

    @staticmethod
    def CDLL(_):
        return Library


big_dump_data.ctypes = Ctypes
BigDumpDataParser.find_shared_library = staticmethod(lambda *_: os.path.realpath(__file__))

import msaccucmp



def decode(folder):
    import hashlib
    import time

    from cmp_utils import log
    from dump_parse import dump_utils

    # Nothing is timed of what it would print.
    log.print_info_log = log.print_warn_log = lambda *_: None
    files = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]

    def arrays():
        for file in files:
            data = dump_utils.parse_dump_file(file, 2)
            for tensor in [*data.input_data, *data.output_data]:
                yield tensor.data

    for _ in arrays():
        pass
    begun = time.process_time()
    for _ in arrays():
        pass
    seconds = time.process_time() - begun
    told = hashlib.md5()
    for array in arrays():
        # Its eight-bit floats come as doubles, with values that all fit into floats.
        told.update((array.astype("<f4") if array.dtype == "float64" else array).tobytes())
    print(json.dumps({"seconds": seconds, "md5": told.hexdigest()}))


if __name__ == "__main__":
    if sys.argv[1] == "decode":
        sys.exit(decode(sys.argv[2]))
    sys.argv[0] = os.path.join(package, "msaccucmp.py")
    msaccucmp.main()

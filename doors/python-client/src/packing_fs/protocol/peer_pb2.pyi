from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReadRequest(_message.Message):
    __slots__ = ("mount", "file_id", "generation", "offset", "length", "path")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    FILE_ID_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    mount: str
    file_id: int
    generation: int
    offset: int
    length: int
    path: str
    def __init__(self, mount: _Optional[str] = ..., file_id: _Optional[int] = ..., generation: _Optional[int] = ..., offset: _Optional[int] = ..., length: _Optional[int] = ..., path: _Optional[str] = ...) -> None: ...

class ReadChunk(_message.Message):
    __slots__ = ("data", "crc32c")
    DATA_FIELD_NUMBER: _ClassVar[int]
    CRC32C_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    crc32c: int
    def __init__(self, data: _Optional[bytes] = ..., crc32c: _Optional[int] = ...) -> None: ...

class ReadBatchRequest(_message.Message):
    __slots__ = ("mount", "paths", "reads_on", "joined")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    READS_ON_FIELD_NUMBER: _ClassVar[int]
    JOINED_FIELD_NUMBER: _ClassVar[int]
    mount: str
    paths: _containers.RepeatedScalarFieldContainer[str]
    reads_on: bool
    joined: bool
    def __init__(self, mount: _Optional[str] = ..., paths: _Optional[_Iterable[str]] = ..., reads_on: bool = ..., joined: bool = ...) -> None: ...

class ReadBatchReply(_message.Message):
    __slots__ = ("files", "lengths", "data", "crc32c")
    FILES_FIELD_NUMBER: _ClassVar[int]
    LENGTHS_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    CRC32C_FIELD_NUMBER: _ClassVar[int]
    files: _containers.RepeatedCompositeFieldContainer[BatchedFile]
    lengths: _containers.RepeatedScalarFieldContainer[int]
    data: bytes
    crc32c: int
    def __init__(self, files: _Optional[_Iterable[_Union[BatchedFile, _Mapping]]] = ..., lengths: _Optional[_Iterable[int]] = ..., data: _Optional[bytes] = ..., crc32c: _Optional[int] = ...) -> None: ...

class BatchedFile(_message.Message):
    __slots__ = ("answer", "data", "crc32c", "message")
    class Answer(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        WHOLE: _ClassVar[BatchedFile.Answer]
        ABSENT: _ClassVar[BatchedFile.Answer]
        IS_A_DIRECTORY: _ClassVar[BatchedFile.Answer]
        DENIED: _ClassVar[BatchedFile.Answer]
        APART: _ClassVar[BatchedFile.Answer]
        BUFFERED: _ClassVar[BatchedFile.Answer]
    WHOLE: BatchedFile.Answer
    ABSENT: BatchedFile.Answer
    IS_A_DIRECTORY: BatchedFile.Answer
    DENIED: BatchedFile.Answer
    APART: BatchedFile.Answer
    BUFFERED: BatchedFile.Answer
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    CRC32C_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    answer: BatchedFile.Answer
    data: bytes
    crc32c: int
    message: str
    def __init__(self, answer: _Optional[_Union[BatchedFile.Answer, str]] = ..., data: _Optional[bytes] = ..., crc32c: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class FlushRequest(_message.Message):
    __slots__ = ("mount",)
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    mount: str
    def __init__(self, mount: _Optional[str] = ...) -> None: ...

class FlushReply(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Creation(_message.Message):
    __slots__ = ("path", "owner", "group", "mode", "create_parents", "overwrite", "mtime_millis", "uploaded", "attributed", "append")
    PATH_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    CREATE_PARENTS_FIELD_NUMBER: _ClassVar[int]
    OVERWRITE_FIELD_NUMBER: _ClassVar[int]
    MTIME_MILLIS_FIELD_NUMBER: _ClassVar[int]
    UPLOADED_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTED_FIELD_NUMBER: _ClassVar[int]
    APPEND_FIELD_NUMBER: _ClassVar[int]
    path: str
    owner: str
    group: str
    mode: int
    create_parents: bool
    overwrite: bool
    mtime_millis: int
    uploaded: bool
    attributed: Attributed
    append: Appended
    def __init__(self, path: _Optional[str] = ..., owner: _Optional[str] = ..., group: _Optional[str] = ..., mode: _Optional[int] = ..., create_parents: bool = ..., overwrite: bool = ..., mtime_millis: _Optional[int] = ..., uploaded: bool = ..., attributed: _Optional[_Union[Attributed, _Mapping]] = ..., append: _Optional[_Union[Appended, _Mapping]] = ...) -> None: ...

class Appended(_message.Message):
    __slots__ = ("path", "file_id", "generation", "offset")
    PATH_FIELD_NUMBER: _ClassVar[int]
    FILE_ID_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    path: str
    file_id: int
    generation: int
    offset: int
    def __init__(self, path: _Optional[str] = ..., file_id: _Optional[int] = ..., generation: _Optional[int] = ..., offset: _Optional[int] = ...) -> None: ...

class Attributed(_message.Message):
    __slots__ = ("path", "extra")
    PATH_FIELD_NUMBER: _ClassVar[int]
    EXTRA_FIELD_NUMBER: _ClassVar[int]
    path: str
    extra: bytes
    def __init__(self, path: _Optional[str] = ..., extra: _Optional[bytes] = ...) -> None: ...

class SmallFile(_message.Message):
    __slots__ = ("creation", "data", "span")
    CREATION_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    SPAN_FIELD_NUMBER: _ClassVar[int]
    creation: Creation
    data: bytes
    span: bytes
    def __init__(self, creation: _Optional[_Union[Creation, _Mapping]] = ..., data: _Optional[bytes] = ..., span: _Optional[bytes] = ...) -> None: ...

class WriteBatch(_message.Message):
    __slots__ = ("mount", "sequence", "files")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    mount: str
    sequence: int
    files: _containers.RepeatedCompositeFieldContainer[SmallFile]
    def __init__(self, mount: _Optional[str] = ..., sequence: _Optional[int] = ..., files: _Optional[_Iterable[_Union[SmallFile, _Mapping]]] = ...) -> None: ...

class WriteBatchReply(_message.Message):
    __slots__ = ("sequence", "results")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    results: _containers.RepeatedCompositeFieldContainer[WriteResult]
    def __init__(self, sequence: _Optional[int] = ..., results: _Optional[_Iterable[_Union[WriteResult, _Mapping]]] = ...) -> None: ...

class LargePart(_message.Message):
    __slots__ = ("start", "data")
    START_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    start: LargeStart
    data: bytes
    def __init__(self, start: _Optional[_Union[LargeStart, _Mapping]] = ..., data: _Optional[bytes] = ...) -> None: ...

class LargeStart(_message.Message):
    __slots__ = ("mount", "creation")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    CREATION_FIELD_NUMBER: _ClassVar[int]
    mount: str
    creation: Creation
    def __init__(self, mount: _Optional[str] = ..., creation: _Optional[_Union[Creation, _Mapping]] = ...) -> None: ...

class WriteResult(_message.Message):
    __slots__ = ("answer", "message", "file_id", "generation")
    class Answer(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STORED: _ClassVar[WriteResult.Answer]
        EXISTS: _ClassVar[WriteResult.Answer]
        NO_PARENT: _ClassVar[WriteResult.Answer]
        UNAVAILABLE: _ClassVar[WriteResult.Answer]
        FENCED: _ClassVar[WriteResult.Answer]
        FULL: _ClassVar[WriteResult.Answer]
        INVALID: _ClassVar[WriteResult.Answer]
        FAILED: _ClassVar[WriteResult.Answer]
        NOT_A_DIRECTORY: _ClassVar[WriteResult.Answer]
        IS_A_DIRECTORY: _ClassVar[WriteResult.Answer]
        DENIED: _ClassVar[WriteResult.Answer]
        LEAVING: _ClassVar[WriteResult.Answer]
        NAMES_QUOTA: _ClassVar[WriteResult.Answer]
        BYTES_QUOTA: _ClassVar[WriteResult.Answer]
        CHANGED: _ClassVar[WriteResult.Answer]
    STORED: WriteResult.Answer
    EXISTS: WriteResult.Answer
    NO_PARENT: WriteResult.Answer
    UNAVAILABLE: WriteResult.Answer
    FENCED: WriteResult.Answer
    FULL: WriteResult.Answer
    INVALID: WriteResult.Answer
    FAILED: WriteResult.Answer
    NOT_A_DIRECTORY: WriteResult.Answer
    IS_A_DIRECTORY: WriteResult.Answer
    DENIED: WriteResult.Answer
    LEAVING: WriteResult.Answer
    NAMES_QUOTA: WriteResult.Answer
    BYTES_QUOTA: WriteResult.Answer
    CHANGED: WriteResult.Answer
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    FILE_ID_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    answer: WriteResult.Answer
    message: str
    file_id: int
    generation: int
    def __init__(self, answer: _Optional[_Union[WriteResult.Answer, str]] = ..., message: _Optional[str] = ..., file_id: _Optional[int] = ..., generation: _Optional[int] = ...) -> None: ...

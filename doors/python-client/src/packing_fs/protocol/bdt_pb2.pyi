from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class OutcomeCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DONE: _ClassVar[OutcomeCode]
    NOT_FOUND: _ClassVar[OutcomeCode]
    EXISTS: _ClassVar[OutcomeCode]
    NO_PARENT: _ClassVar[OutcomeCode]
    NOT_A_DIRECTORY: _ClassVar[OutcomeCode]
    IS_A_DIRECTORY: _ClassVar[OutcomeCode]
    NOT_EMPTY: _ClassVar[OutcomeCode]
    INVALID: _ClassVar[OutcomeCode]
    CHANGED: _ClassVar[OutcomeCode]
    UNKNOWN_CONTENT: _ClassVar[OutcomeCode]
    UNCOMMITTED: _ClassVar[OutcomeCode]
    DENIED: _ClassVar[OutcomeCode]
    NO_ATTRIBUTE: _ClassVar[OutcomeCode]
    NO_ROOM: _ClassVar[OutcomeCode]
    NAMES_QUOTA: _ClassVar[OutcomeCode]
    BYTES_QUOTA: _ClassVar[OutcomeCode]
DONE: OutcomeCode
NOT_FOUND: OutcomeCode
EXISTS: OutcomeCode
NO_PARENT: OutcomeCode
NOT_A_DIRECTORY: OutcomeCode
IS_A_DIRECTORY: OutcomeCode
NOT_EMPTY: OutcomeCode
INVALID: OutcomeCode
CHANGED: OutcomeCode
UNKNOWN_CONTENT: OutcomeCode
UNCOMMITTED: OutcomeCode
DENIED: OutcomeCode
NO_ATTRIBUTE: OutcomeCode
NO_ROOM: OutcomeCode
NAMES_QUOTA: OutcomeCode
BYTES_QUOTA: OutcomeCode

class OpenRequest(_message.Message):
    __slots__ = ("options", "again", "create", "mount")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    AGAIN_FIELD_NUMBER: _ClassVar[int]
    CREATE_FIELD_NUMBER: _ClassVar[int]
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    options: _containers.ScalarMap[str, str]
    again: bool
    create: bool
    mount: str
    def __init__(self, options: _Optional[_Mapping[str, str]] = ..., again: bool = ..., create: bool = ..., mount: _Optional[str] = ...) -> None: ...

class OpenReply(_message.Message):
    __slots__ = ("mount", "encryption_key", "options", "withholds_places", "store", "homes")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class StoreEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    ENCRYPTION_KEY_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    WITHHOLDS_PLACES_FIELD_NUMBER: _ClassVar[int]
    STORE_FIELD_NUMBER: _ClassVar[int]
    HOMES_FIELD_NUMBER: _ClassVar[int]
    mount: str
    encryption_key: str
    options: _containers.ScalarMap[str, str]
    withholds_places: bool
    store: _containers.ScalarMap[str, str]
    homes: MountHomesMessage
    def __init__(self, mount: _Optional[str] = ..., encryption_key: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., withholds_places: bool = ..., store: _Optional[_Mapping[str, str]] = ..., homes: _Optional[_Union[MountHomesMessage, _Mapping]] = ...) -> None: ...

class MountHomesMessage(_message.Message):
    __slots__ = ("called", "number", "since_micros", "places")
    CALLED_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    SINCE_MICROS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    called: str
    number: int
    since_micros: int
    places: _containers.RepeatedCompositeFieldContainer[PlaceMessage]
    def __init__(self, called: _Optional[str] = ..., number: _Optional[int] = ..., since_micros: _Optional[int] = ..., places: _Optional[_Iterable[_Union[PlaceMessage, _Mapping]]] = ...) -> None: ...

class PlaceMessage(_message.Message):
    __slots__ = ("options",)
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    options: _containers.ScalarMap[str, str]
    def __init__(self, options: _Optional[_Mapping[str, str]] = ...) -> None: ...

class OptionsReply(_message.Message):
    __slots__ = ("mount", "options", "set")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SET_FIELD_NUMBER: _ClassVar[int]
    mount: str
    options: _containers.ScalarMap[str, str]
    set: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, mount: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., set: _Optional[_Iterable[str]] = ...) -> None: ...

class SetOptionsRequest(_message.Message):
    __slots__ = ("mount", "options")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    mount: str
    options: _containers.ScalarMap[str, str]
    def __init__(self, mount: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ...) -> None: ...

class MountRequest(_message.Message):
    __slots__ = ("mount",)
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    mount: str
    def __init__(self, mount: _Optional[str] = ...) -> None: ...

class PathRequest(_message.Message):
    __slots__ = ("mount", "path", "nearest", "to_create", "extended")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    NEAREST_FIELD_NUMBER: _ClassVar[int]
    TO_CREATE_FIELD_NUMBER: _ClassVar[int]
    EXTENDED_FIELD_NUMBER: _ClassVar[int]
    mount: str
    path: str
    nearest: bool
    to_create: bool
    extended: bool
    def __init__(self, mount: _Optional[str] = ..., path: _Optional[str] = ..., nearest: bool = ..., to_create: bool = ..., extended: bool = ...) -> None: ...

class AccessRequest(_message.Message):
    __slots__ = ("mount", "path", "version", "rights", "user", "by_range", "offset")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    RIGHTS_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    BY_RANGE_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    mount: str
    path: str
    version: Version
    rights: int
    user: str
    by_range: bool
    offset: int
    def __init__(self, mount: _Optional[str] = ..., path: _Optional[str] = ..., version: _Optional[_Union[Version, _Mapping]] = ..., rights: _Optional[int] = ..., user: _Optional[str] = ..., by_range: bool = ..., offset: _Optional[int] = ...) -> None: ...

class ReadableMessage(_message.Message):
    __slots__ = ("starts", "ends", "until")
    STARTS_FIELD_NUMBER: _ClassVar[int]
    ENDS_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    starts: _containers.RepeatedScalarFieldContainer[int]
    ends: _containers.RepeatedScalarFieldContainer[int]
    until: int
    def __init__(self, starts: _Optional[_Iterable[int]] = ..., ends: _Optional[_Iterable[int]] = ..., until: _Optional[int] = ...) -> None: ...

class AccessReply(_message.Message):
    __slots__ = ("found", "readable")
    FOUND_FIELD_NUMBER: _ClassVar[int]
    READABLE_FIELD_NUMBER: _ClassVar[int]
    found: bool
    readable: ReadableMessage
    def __init__(self, found: bool = ..., readable: _Optional[_Union[ReadableMessage, _Mapping]] = ...) -> None: ...

class Version(_message.Message):
    __slots__ = ("id", "generation")
    ID_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    id: int
    generation: int
    def __init__(self, id: _Optional[int] = ..., generation: _Optional[int] = ...) -> None: ...

class Attributes(_message.Message):
    __slots__ = ("length", "mtime_millis", "owner", "group", "mode")
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    MTIME_MILLIS_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    length: int
    mtime_millis: int
    owner: str
    group: str
    mode: int
    def __init__(self, length: _Optional[int] = ..., mtime_millis: _Optional[int] = ..., owner: _Optional[str] = ..., group: _Optional[str] = ..., mode: _Optional[int] = ...) -> None: ...

class Status(_message.Message):
    __slots__ = ("path", "version", "attributes", "state", "extras", "inherited", "clone")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        DIRECTORY: _ClassVar[Status.State]
        BUFFERED: _ClassVar[Status.State]
        PACKED: _ClassVar[Status.State]
        LOST: _ClassVar[Status.State]
        MAPPED: _ClassVar[Status.State]
    DIRECTORY: Status.State
    BUFFERED: Status.State
    PACKED: Status.State
    LOST: Status.State
    MAPPED: Status.State
    PATH_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    EXTRAS_FIELD_NUMBER: _ClassVar[int]
    INHERITED_FIELD_NUMBER: _ClassVar[int]
    CLONE_FIELD_NUMBER: _ClassVar[int]
    path: str
    version: Version
    attributes: Attributes
    state: Status.State
    extras: Extras
    inherited: bool
    clone: int
    def __init__(self, path: _Optional[str] = ..., version: _Optional[_Union[Version, _Mapping]] = ..., attributes: _Optional[_Union[Attributes, _Mapping]] = ..., state: _Optional[_Union[Status.State, str]] = ..., extras: _Optional[_Union[Extras, _Mapping]] = ..., inherited: bool = ..., clone: _Optional[int] = ...) -> None: ...

class Extras(_message.Message):
    __slots__ = ("extended", "nanos", "changed", "links")
    EXTENDED_FIELD_NUMBER: _ClassVar[int]
    NANOS_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    extended: int
    nanos: int
    changed: Time
    links: int
    def __init__(self, extended: _Optional[int] = ..., nanos: _Optional[int] = ..., changed: _Optional[_Union[Time, _Mapping]] = ..., links: _Optional[int] = ...) -> None: ...

class Time(_message.Message):
    __slots__ = ("millis", "nanos")
    MILLIS_FIELD_NUMBER: _ClassVar[int]
    NANOS_FIELD_NUMBER: _ClassVar[int]
    millis: int
    nanos: int
    def __init__(self, millis: _Optional[int] = ..., nanos: _Optional[int] = ...) -> None: ...

class StatReply(_message.Message):
    __slots__ = ("status", "extended")
    class ExtendedEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: bytes
        def __init__(self, key: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...
    STATUS_FIELD_NUMBER: _ClassVar[int]
    EXTENDED_FIELD_NUMBER: _ClassVar[int]
    status: Status
    extended: _containers.ScalarMap[str, bytes]
    def __init__(self, status: _Optional[_Union[Status, _Mapping]] = ..., extended: _Optional[_Mapping[str, bytes]] = ...) -> None: ...

class LocateRequest(_message.Message):
    __slots__ = ("mount", "path", "version", "opened_as", "for_users", "extended")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    OPENED_AS_FIELD_NUMBER: _ClassVar[int]
    FOR_USERS_FIELD_NUMBER: _ClassVar[int]
    EXTENDED_FIELD_NUMBER: _ClassVar[int]
    mount: str
    path: str
    version: Version
    opened_as: str
    for_users: bool
    extended: bool
    def __init__(self, mount: _Optional[str] = ..., path: _Optional[str] = ..., version: _Optional[_Union[Version, _Mapping]] = ..., opened_as: _Optional[str] = ..., for_users: bool = ..., extended: bool = ...) -> None: ...

class ExtentMessage(_message.Message):
    __slots__ = ("blob", "file_offset", "length", "blob_offset", "stored_length", "codec", "crc32c")
    BLOB_FIELD_NUMBER: _ClassVar[int]
    FILE_OFFSET_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    BLOB_OFFSET_FIELD_NUMBER: _ClassVar[int]
    STORED_LENGTH_FIELD_NUMBER: _ClassVar[int]
    CODEC_FIELD_NUMBER: _ClassVar[int]
    CRC32C_FIELD_NUMBER: _ClassVar[int]
    blob: int
    file_offset: int
    length: int
    blob_offset: int
    stored_length: int
    codec: int
    crc32c: int
    def __init__(self, blob: _Optional[int] = ..., file_offset: _Optional[int] = ..., length: _Optional[int] = ..., blob_offset: _Optional[int] = ..., stored_length: _Optional[int] = ..., codec: _Optional[int] = ..., crc32c: _Optional[int] = ...) -> None: ...

class PieceMessage(_message.Message):
    __slots__ = ("offset", "length", "content", "content_offset")
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    CONTENT_OFFSET_FIELD_NUMBER: _ClassVar[int]
    offset: int
    length: int
    content: int
    content_offset: int
    def __init__(self, offset: _Optional[int] = ..., length: _Optional[int] = ..., content: _Optional[int] = ..., content_offset: _Optional[int] = ...) -> None: ...

class LocateReply(_message.Message):
    __slots__ = ("status", "worker", "address", "blobs", "extents", "pieces", "contents", "withheld", "extended")
    class ExtendedEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: bytes
        def __init__(self, key: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...
    STATUS_FIELD_NUMBER: _ClassVar[int]
    WORKER_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    BLOBS_FIELD_NUMBER: _ClassVar[int]
    EXTENTS_FIELD_NUMBER: _ClassVar[int]
    PIECES_FIELD_NUMBER: _ClassVar[int]
    CONTENTS_FIELD_NUMBER: _ClassVar[int]
    WITHHELD_FIELD_NUMBER: _ClassVar[int]
    EXTENDED_FIELD_NUMBER: _ClassVar[int]
    status: Status
    worker: str
    address: str
    blobs: _containers.RepeatedScalarFieldContainer[str]
    extents: _containers.RepeatedCompositeFieldContainer[ExtentMessage]
    pieces: _containers.RepeatedCompositeFieldContainer[PieceMessage]
    contents: _containers.RepeatedCompositeFieldContainer[LocateReply]
    withheld: bool
    extended: _containers.ScalarMap[str, bytes]
    def __init__(self, status: _Optional[_Union[Status, _Mapping]] = ..., worker: _Optional[str] = ..., address: _Optional[str] = ..., blobs: _Optional[_Iterable[str]] = ..., extents: _Optional[_Iterable[_Union[ExtentMessage, _Mapping]]] = ..., pieces: _Optional[_Iterable[_Union[PieceMessage, _Mapping]]] = ..., contents: _Optional[_Iterable[_Union[LocateReply, _Mapping]]] = ..., withheld: bool = ..., extended: _Optional[_Mapping[str, bytes]] = ...) -> None: ...

class ListRequest(_message.Message):
    __slots__ = ("mount", "directory", "start_after", "limit", "located", "clone_of")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    START_AFTER_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    LOCATED_FIELD_NUMBER: _ClassVar[int]
    CLONE_OF_FIELD_NUMBER: _ClassVar[int]
    mount: str
    directory: str
    start_after: str
    limit: int
    located: bool
    clone_of: str
    def __init__(self, mount: _Optional[str] = ..., directory: _Optional[str] = ..., start_after: _Optional[str] = ..., limit: _Optional[int] = ..., located: bool = ..., clone_of: _Optional[str] = ...) -> None: ...

class ListReply(_message.Message):
    __slots__ = ("found", "entries", "located", "last", "own")
    FOUND_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    LOCATED_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    OWN_FIELD_NUMBER: _ClassVar[int]
    found: bool
    entries: _containers.RepeatedCompositeFieldContainer[Status]
    located: _containers.RepeatedCompositeFieldContainer[LocateReply]
    last: bool
    own: OwnNamesMessage
    def __init__(self, found: bool = ..., entries: _Optional[_Iterable[_Union[Status, _Mapping]]] = ..., located: _Optional[_Iterable[_Union[LocateReply, _Mapping]]] = ..., last: bool = ..., own: _Optional[_Union[OwnNamesMessage, _Mapping]] = ...) -> None: ...

class OwnNamesMessage(_message.Message):
    __slots__ = ("clone", "names", "next")
    CLONE_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    NEXT_FIELD_NUMBER: _ClassVar[int]
    clone: bool
    names: _containers.RepeatedCompositeFieldContainer[OwnNameMessage]
    next: str
    def __init__(self, clone: bool = ..., names: _Optional[_Iterable[_Union[OwnNameMessage, _Mapping]]] = ..., next: _Optional[str] = ...) -> None: ...

class OwnNameMessage(_message.Message):
    __slots__ = ("path", "whole")
    PATH_FIELD_NUMBER: _ClassVar[int]
    WHOLE_FIELD_NUMBER: _ClassVar[int]
    path: str
    whole: bool
    def __init__(self, path: _Optional[str] = ..., whole: bool = ...) -> None: ...

class FindRequest(_message.Message):
    __slots__ = ("mount", "paths", "user")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    mount: str
    paths: _containers.RepeatedScalarFieldContainer[str]
    user: KnownRequest.User
    def __init__(self, mount: _Optional[str] = ..., paths: _Optional[_Iterable[str]] = ..., user: _Optional[_Union[KnownRequest.User, _Mapping]] = ...) -> None: ...

class FoundMessage(_message.Message):
    __slots__ = ("file", "status", "denied")
    FILE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    DENIED_FIELD_NUMBER: _ClassVar[int]
    file: LocateReply
    status: Status
    denied: str
    def __init__(self, file: _Optional[_Union[LocateReply, _Mapping]] = ..., status: _Optional[_Union[Status, _Mapping]] = ..., denied: _Optional[str] = ...) -> None: ...

class FindReply(_message.Message):
    __slots__ = ("found", "for_user")
    FOUND_FIELD_NUMBER: _ClassVar[int]
    FOR_USER_FIELD_NUMBER: _ClassVar[int]
    found: _containers.RepeatedCompositeFieldContainer[FoundMessage]
    for_user: bool
    def __init__(self, found: _Optional[_Iterable[_Union[FoundMessage, _Mapping]]] = ..., for_user: bool = ...) -> None: ...

class ScanRequest(_message.Message):
    __slots__ = ("mount", "part", "after")
    class Part(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        BLOBS: _ClassVar[ScanRequest.Part]
        FILES: _ClassVar[ScanRequest.Part]
        CONTENTS: _ClassVar[ScanRequest.Part]
        PAST: _ClassVar[ScanRequest.Part]
        SNAPSHOTS: _ClassVar[ScanRequest.Part]
        QUOTAS: _ClassVar[ScanRequest.Part]
    BLOBS: ScanRequest.Part
    FILES: ScanRequest.Part
    CONTENTS: ScanRequest.Part
    PAST: ScanRequest.Part
    SNAPSHOTS: ScanRequest.Part
    QUOTAS: ScanRequest.Part
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    mount: str
    part: ScanRequest.Part
    after: bytes
    def __init__(self, mount: _Optional[str] = ..., part: _Optional[_Union[ScanRequest.Part, str]] = ..., after: _Optional[bytes] = ...) -> None: ...

class ScannedBlobMessage(_message.Message):
    __slots__ = ("number", "blob", "length", "live", "settled", "grace_left_millis", "backed_up")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    BLOB_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    LIVE_FIELD_NUMBER: _ClassVar[int]
    SETTLED_FIELD_NUMBER: _ClassVar[int]
    GRACE_LEFT_MILLIS_FIELD_NUMBER: _ClassVar[int]
    BACKED_UP_FIELD_NUMBER: _ClassVar[int]
    number: int
    blob: str
    length: int
    live: int
    settled: bool
    grace_left_millis: int
    backed_up: bool
    def __init__(self, number: _Optional[int] = ..., blob: _Optional[str] = ..., length: _Optional[int] = ..., live: _Optional[int] = ..., settled: bool = ..., grace_left_millis: _Optional[int] = ..., backed_up: bool = ...) -> None: ...

class ScannedExtentMessage(_message.Message):
    __slots__ = ("blob", "file_offset", "length", "blob_offset", "stored_length", "codec", "crc32c")
    BLOB_FIELD_NUMBER: _ClassVar[int]
    FILE_OFFSET_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    BLOB_OFFSET_FIELD_NUMBER: _ClassVar[int]
    STORED_LENGTH_FIELD_NUMBER: _ClassVar[int]
    CODEC_FIELD_NUMBER: _ClassVar[int]
    CRC32C_FIELD_NUMBER: _ClassVar[int]
    blob: int
    file_offset: int
    length: int
    blob_offset: int
    stored_length: int
    codec: int
    crc32c: int
    def __init__(self, blob: _Optional[int] = ..., file_offset: _Optional[int] = ..., length: _Optional[int] = ..., blob_offset: _Optional[int] = ..., stored_length: _Optional[int] = ..., codec: _Optional[int] = ..., crc32c: _Optional[int] = ...) -> None: ...

class ScannedFileMessage(_message.Message):
    __slots__ = ("directory", "name", "id", "generation", "length", "state", "worker", "extents", "present", "links")
    DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    WORKER_FIELD_NUMBER: _ClassVar[int]
    EXTENTS_FIELD_NUMBER: _ClassVar[int]
    PRESENT_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    directory: int
    name: str
    id: int
    generation: int
    length: int
    state: Status.State
    worker: str
    extents: _containers.RepeatedCompositeFieldContainer[ScannedExtentMessage]
    present: bool
    links: int
    def __init__(self, directory: _Optional[int] = ..., name: _Optional[str] = ..., id: _Optional[int] = ..., generation: _Optional[int] = ..., length: _Optional[int] = ..., state: _Optional[_Union[Status.State, str]] = ..., worker: _Optional[str] = ..., extents: _Optional[_Iterable[_Union[ScannedExtentMessage, _Mapping]]] = ..., present: bool = ..., links: _Optional[int] = ...) -> None: ...

class ScannedNameMessage(_message.Message):
    __slots__ = ("directory", "name", "file", "count")
    DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    FILE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    directory: int
    name: str
    file: int
    count: int
    def __init__(self, directory: _Optional[int] = ..., name: _Optional[str] = ..., file: _Optional[int] = ..., count: _Optional[int] = ...) -> None: ...

class ScannedSnapshotMessage(_message.Message):
    __slots__ = ("directory", "name")
    DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    directory: str
    name: str
    def __init__(self, directory: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class ScannedQuotaMessage(_message.Message):
    __slots__ = ("directory", "quota")
    DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    QUOTA_FIELD_NUMBER: _ClassVar[int]
    directory: str
    quota: QuotaMessage
    def __init__(self, directory: _Optional[str] = ..., quota: _Optional[_Union[QuotaMessage, _Mapping]] = ...) -> None: ...

class ScanProblemMessage(_message.Message):
    __slots__ = ("kind", "path", "message", "until")
    KIND_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    kind: str
    path: str
    message: str
    until: int
    def __init__(self, kind: _Optional[str] = ..., path: _Optional[str] = ..., message: _Optional[str] = ..., until: _Optional[int] = ...) -> None: ...

class ScanReply(_message.Message):
    __slots__ = ("next", "directories", "blobs", "files", "snapshots", "problems", "names", "quotas", "undated")
    NEXT_FIELD_NUMBER: _ClassVar[int]
    DIRECTORIES_FIELD_NUMBER: _ClassVar[int]
    BLOBS_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOTS_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    QUOTAS_FIELD_NUMBER: _ClassVar[int]
    UNDATED_FIELD_NUMBER: _ClassVar[int]
    next: bytes
    directories: _containers.RepeatedScalarFieldContainer[str]
    blobs: _containers.RepeatedCompositeFieldContainer[ScannedBlobMessage]
    files: _containers.RepeatedCompositeFieldContainer[ScannedFileMessage]
    snapshots: _containers.RepeatedCompositeFieldContainer[ScannedSnapshotMessage]
    problems: _containers.RepeatedCompositeFieldContainer[ScanProblemMessage]
    names: _containers.RepeatedCompositeFieldContainer[ScannedNameMessage]
    quotas: _containers.RepeatedCompositeFieldContainer[ScannedQuotaMessage]
    undated: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, next: _Optional[bytes] = ..., directories: _Optional[_Iterable[str]] = ..., blobs: _Optional[_Iterable[_Union[ScannedBlobMessage, _Mapping]]] = ..., files: _Optional[_Iterable[_Union[ScannedFileMessage, _Mapping]]] = ..., snapshots: _Optional[_Iterable[_Union[ScannedSnapshotMessage, _Mapping]]] = ..., problems: _Optional[_Iterable[_Union[ScanProblemMessage, _Mapping]]] = ..., names: _Optional[_Iterable[_Union[ScannedNameMessage, _Mapping]]] = ..., quotas: _Optional[_Iterable[_Union[ScannedQuotaMessage, _Mapping]]] = ..., undated: _Optional[_Iterable[int]] = ...) -> None: ...

class MkdirRequest(_message.Message):
    __slots__ = ("mount", "request", "path", "owner", "group", "mode", "create_parents")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    CREATE_PARENTS_FIELD_NUMBER: _ClassVar[int]
    mount: str
    request: int
    path: str
    owner: str
    group: str
    mode: int
    create_parents: bool
    def __init__(self, mount: _Optional[str] = ..., request: _Optional[int] = ..., path: _Optional[str] = ..., owner: _Optional[str] = ..., group: _Optional[str] = ..., mode: _Optional[int] = ..., create_parents: bool = ...) -> None: ...

class DeleteRequest(_message.Message):
    __slots__ = ("mount", "request", "path", "recursive")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    RECURSIVE_FIELD_NUMBER: _ClassVar[int]
    mount: str
    request: int
    path: str
    recursive: bool
    def __init__(self, mount: _Optional[str] = ..., request: _Optional[int] = ..., path: _Optional[str] = ..., recursive: bool = ...) -> None: ...

class RenameRequest(_message.Message):
    __slots__ = ("mount", "request", "to")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    mount: str
    request: int
    to: str
    def __init__(self, mount: _Optional[str] = ..., request: _Optional[int] = ..., to: _Optional[str] = ..., **kwargs) -> None: ...

class SetAttributesRequest(_message.Message):
    __slots__ = ("mount", "request", "path", "owner", "group", "mode", "mtime_millis", "extra")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    MTIME_MILLIS_FIELD_NUMBER: _ClassVar[int]
    EXTRA_FIELD_NUMBER: _ClassVar[int]
    mount: str
    request: int
    path: str
    owner: str
    group: str
    mode: int
    mtime_millis: int
    extra: ExtraChangeMessage
    def __init__(self, mount: _Optional[str] = ..., request: _Optional[int] = ..., path: _Optional[str] = ..., owner: _Optional[str] = ..., group: _Optional[str] = ..., mode: _Optional[int] = ..., mtime_millis: _Optional[int] = ..., extra: _Optional[_Union[ExtraChangeMessage, _Mapping]] = ...) -> None: ...

class ExtraChangeMessage(_message.Message):
    __slots__ = ("extended", "nanos", "changed")
    class Step(_message.Message):
        __slots__ = ("kind", "name", "value")
        class Kind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
            __slots__ = ()
            PUT: _ClassVar[ExtraChangeMessage.Step.Kind]
            CREATE: _ClassVar[ExtraChangeMessage.Step.Kind]
            REPLACE: _ClassVar[ExtraChangeMessage.Step.Kind]
            REMOVE: _ClassVar[ExtraChangeMessage.Step.Kind]
            DROP: _ClassVar[ExtraChangeMessage.Step.Kind]
            CLEAR: _ClassVar[ExtraChangeMessage.Step.Kind]
        PUT: ExtraChangeMessage.Step.Kind
        CREATE: ExtraChangeMessage.Step.Kind
        REPLACE: ExtraChangeMessage.Step.Kind
        REMOVE: ExtraChangeMessage.Step.Kind
        DROP: ExtraChangeMessage.Step.Kind
        CLEAR: ExtraChangeMessage.Step.Kind
        KIND_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        kind: ExtraChangeMessage.Step.Kind
        name: str
        value: bytes
        def __init__(self, kind: _Optional[_Union[ExtraChangeMessage.Step.Kind, str]] = ..., name: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...
    EXTENDED_FIELD_NUMBER: _ClassVar[int]
    NANOS_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    extended: _containers.RepeatedCompositeFieldContainer[ExtraChangeMessage.Step]
    nanos: int
    changed: Time
    def __init__(self, extended: _Optional[_Iterable[_Union[ExtraChangeMessage.Step, _Mapping]]] = ..., nanos: _Optional[int] = ..., changed: _Optional[_Union[Time, _Mapping]] = ...) -> None: ...

class QuotaReply(_message.Message):
    __slots__ = ("quota",)
    QUOTA_FIELD_NUMBER: _ClassVar[int]
    quota: QuotaMessage
    def __init__(self, quota: _Optional[_Union[QuotaMessage, _Mapping]] = ...) -> None: ...

class QuotaMessage(_message.Message):
    __slots__ = ("most_names", "most_bytes", "names", "bytes")
    MOST_NAMES_FIELD_NUMBER: _ClassVar[int]
    MOST_BYTES_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    most_names: int
    most_bytes: int
    names: int
    bytes: int
    def __init__(self, most_names: _Optional[int] = ..., most_bytes: _Optional[int] = ..., names: _Optional[int] = ..., bytes: _Optional[int] = ...) -> None: ...

class SetQuotaRequest(_message.Message):
    __slots__ = ("mount", "request", "path", "most_names", "most_bytes")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    MOST_NAMES_FIELD_NUMBER: _ClassVar[int]
    MOST_BYTES_FIELD_NUMBER: _ClassVar[int]
    mount: str
    request: int
    path: str
    most_names: int
    most_bytes: int
    def __init__(self, mount: _Optional[str] = ..., request: _Optional[int] = ..., path: _Optional[str] = ..., most_names: _Optional[int] = ..., most_bytes: _Optional[int] = ...) -> None: ...

class OutcomeReply(_message.Message):
    __slots__ = ("outcome",)
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    outcome: OutcomeCode
    def __init__(self, outcome: _Optional[_Union[OutcomeCode, str]] = ...) -> None: ...

class RangeMessage(_message.Message):
    __slots__ = ("path", "offset", "length")
    PATH_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    path: str
    offset: int
    length: int
    def __init__(self, path: _Optional[str] = ..., offset: _Optional[int] = ..., length: _Optional[int] = ...) -> None: ...

class AttributeChangeMessage(_message.Message):
    __slots__ = ("owner", "group", "mode", "mtime_millis", "extra")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    MTIME_MILLIS_FIELD_NUMBER: _ClassVar[int]
    EXTRA_FIELD_NUMBER: _ClassVar[int]
    owner: str
    group: str
    mode: int
    mtime_millis: int
    extra: ExtraChangeMessage
    def __init__(self, owner: _Optional[str] = ..., group: _Optional[str] = ..., mode: _Optional[int] = ..., mtime_millis: _Optional[int] = ..., extra: _Optional[_Union[ExtraChangeMessage, _Mapping]] = ...) -> None: ...

class PreconditionMessage(_message.Message):
    __slots__ = ("path", "version")
    PATH_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    path: str
    version: Version
    def __init__(self, path: _Optional[str] = ..., version: _Optional[_Union[Version, _Mapping]] = ...) -> None: ...

class OperationMessage(_message.Message):
    __slots__ = ("clone_range", "move_range", "delete_range", "truncate", "clone_file", "rename", "delete", "make_directory", "set_attributes", "merge_directory", "take_snapshot", "rename_snapshot", "drop_snapshot", "clone_directory", "merge_each_directory", "create_file", "link")
    class ToRange(_message.Message):
        __slots__ = ("source", "destination", "at")
        SOURCE_FIELD_NUMBER: _ClassVar[int]
        DESTINATION_FIELD_NUMBER: _ClassVar[int]
        AT_FIELD_NUMBER: _ClassVar[int]
        source: RangeMessage
        destination: str
        at: int
        def __init__(self, source: _Optional[_Union[RangeMessage, _Mapping]] = ..., destination: _Optional[str] = ..., at: _Optional[int] = ...) -> None: ...
    class Truncate(_message.Message):
        __slots__ = ("path", "length")
        PATH_FIELD_NUMBER: _ClassVar[int]
        LENGTH_FIELD_NUMBER: _ClassVar[int]
        path: str
        length: int
        def __init__(self, path: _Optional[str] = ..., length: _Optional[int] = ...) -> None: ...
    class CloneFile(_message.Message):
        __slots__ = ("source", "destination", "overwrite", "change")
        SOURCE_FIELD_NUMBER: _ClassVar[int]
        DESTINATION_FIELD_NUMBER: _ClassVar[int]
        OVERWRITE_FIELD_NUMBER: _ClassVar[int]
        CHANGE_FIELD_NUMBER: _ClassVar[int]
        source: str
        destination: str
        overwrite: bool
        change: AttributeChangeMessage
        def __init__(self, source: _Optional[str] = ..., destination: _Optional[str] = ..., overwrite: bool = ..., change: _Optional[_Union[AttributeChangeMessage, _Mapping]] = ...) -> None: ...
    class Rename(_message.Message):
        __slots__ = ("to", "overwrite")
        FROM_FIELD_NUMBER: _ClassVar[int]
        TO_FIELD_NUMBER: _ClassVar[int]
        OVERWRITE_FIELD_NUMBER: _ClassVar[int]
        to: str
        overwrite: bool
        def __init__(self, to: _Optional[str] = ..., overwrite: bool = ..., **kwargs) -> None: ...
    class Delete(_message.Message):
        __slots__ = ("path", "recursive")
        PATH_FIELD_NUMBER: _ClassVar[int]
        RECURSIVE_FIELD_NUMBER: _ClassVar[int]
        path: str
        recursive: bool
        def __init__(self, path: _Optional[str] = ..., recursive: bool = ...) -> None: ...
    class Link(_message.Message):
        __slots__ = ("file", "name")
        FILE_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        file: str
        name: str
        def __init__(self, file: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...
    class MergeDirectory(_message.Message):
        __slots__ = ("to",)
        FROM_FIELD_NUMBER: _ClassVar[int]
        TO_FIELD_NUMBER: _ClassVar[int]
        to: str
        def __init__(self, to: _Optional[str] = ..., **kwargs) -> None: ...
    class MergeEachDirectory(_message.Message):
        __slots__ = ("to",)
        FROM_FIELD_NUMBER: _ClassVar[int]
        EXCEPT_FIELD_NUMBER: _ClassVar[int]
        TO_FIELD_NUMBER: _ClassVar[int]
        to: str
        def __init__(self, to: _Optional[str] = ..., **kwargs) -> None: ...
    class CreateFile(_message.Message):
        __slots__ = ("path", "change", "overwrite")
        PATH_FIELD_NUMBER: _ClassVar[int]
        CHANGE_FIELD_NUMBER: _ClassVar[int]
        OVERWRITE_FIELD_NUMBER: _ClassVar[int]
        path: str
        change: AttributeChangeMessage
        overwrite: bool
        def __init__(self, path: _Optional[str] = ..., change: _Optional[_Union[AttributeChangeMessage, _Mapping]] = ..., overwrite: bool = ...) -> None: ...
    class MakeDirectory(_message.Message):
        __slots__ = ("path", "owner", "group", "mode", "create_parents")
        PATH_FIELD_NUMBER: _ClassVar[int]
        OWNER_FIELD_NUMBER: _ClassVar[int]
        GROUP_FIELD_NUMBER: _ClassVar[int]
        MODE_FIELD_NUMBER: _ClassVar[int]
        CREATE_PARENTS_FIELD_NUMBER: _ClassVar[int]
        path: str
        owner: str
        group: str
        mode: int
        create_parents: bool
        def __init__(self, path: _Optional[str] = ..., owner: _Optional[str] = ..., group: _Optional[str] = ..., mode: _Optional[int] = ..., create_parents: bool = ...) -> None: ...
    class SetAttributes(_message.Message):
        __slots__ = ("path", "change")
        PATH_FIELD_NUMBER: _ClassVar[int]
        CHANGE_FIELD_NUMBER: _ClassVar[int]
        path: str
        change: AttributeChangeMessage
        def __init__(self, path: _Optional[str] = ..., change: _Optional[_Union[AttributeChangeMessage, _Mapping]] = ...) -> None: ...
    class Snapshot(_message.Message):
        __slots__ = ("directory", "name")
        DIRECTORY_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        directory: str
        name: str
        def __init__(self, directory: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...
    class CloneDirectory(_message.Message):
        __slots__ = ("source", "destination")
        SOURCE_FIELD_NUMBER: _ClassVar[int]
        DESTINATION_FIELD_NUMBER: _ClassVar[int]
        source: str
        destination: str
        def __init__(self, source: _Optional[str] = ..., destination: _Optional[str] = ...) -> None: ...
    class RenameSnapshot(_message.Message):
        __slots__ = ("directory", "to")
        DIRECTORY_FIELD_NUMBER: _ClassVar[int]
        FROM_FIELD_NUMBER: _ClassVar[int]
        TO_FIELD_NUMBER: _ClassVar[int]
        directory: str
        to: str
        def __init__(self, directory: _Optional[str] = ..., to: _Optional[str] = ..., **kwargs) -> None: ...
    CLONE_RANGE_FIELD_NUMBER: _ClassVar[int]
    MOVE_RANGE_FIELD_NUMBER: _ClassVar[int]
    DELETE_RANGE_FIELD_NUMBER: _ClassVar[int]
    TRUNCATE_FIELD_NUMBER: _ClassVar[int]
    CLONE_FILE_FIELD_NUMBER: _ClassVar[int]
    RENAME_FIELD_NUMBER: _ClassVar[int]
    DELETE_FIELD_NUMBER: _ClassVar[int]
    MAKE_DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    SET_ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    MERGE_DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    TAKE_SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    RENAME_SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    DROP_SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    CLONE_DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    MERGE_EACH_DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    CREATE_FILE_FIELD_NUMBER: _ClassVar[int]
    LINK_FIELD_NUMBER: _ClassVar[int]
    clone_range: OperationMessage.ToRange
    move_range: OperationMessage.ToRange
    delete_range: RangeMessage
    truncate: OperationMessage.Truncate
    clone_file: OperationMessage.CloneFile
    rename: OperationMessage.Rename
    delete: OperationMessage.Delete
    make_directory: OperationMessage.MakeDirectory
    set_attributes: OperationMessage.SetAttributes
    merge_directory: OperationMessage.MergeDirectory
    take_snapshot: OperationMessage.Snapshot
    rename_snapshot: OperationMessage.RenameSnapshot
    drop_snapshot: OperationMessage.Snapshot
    clone_directory: OperationMessage.CloneDirectory
    merge_each_directory: OperationMessage.MergeEachDirectory
    create_file: OperationMessage.CreateFile
    link: OperationMessage.Link
    def __init__(self, clone_range: _Optional[_Union[OperationMessage.ToRange, _Mapping]] = ..., move_range: _Optional[_Union[OperationMessage.ToRange, _Mapping]] = ..., delete_range: _Optional[_Union[RangeMessage, _Mapping]] = ..., truncate: _Optional[_Union[OperationMessage.Truncate, _Mapping]] = ..., clone_file: _Optional[_Union[OperationMessage.CloneFile, _Mapping]] = ..., rename: _Optional[_Union[OperationMessage.Rename, _Mapping]] = ..., delete: _Optional[_Union[OperationMessage.Delete, _Mapping]] = ..., make_directory: _Optional[_Union[OperationMessage.MakeDirectory, _Mapping]] = ..., set_attributes: _Optional[_Union[OperationMessage.SetAttributes, _Mapping]] = ..., merge_directory: _Optional[_Union[OperationMessage.MergeDirectory, _Mapping]] = ..., take_snapshot: _Optional[_Union[OperationMessage.Snapshot, _Mapping]] = ..., rename_snapshot: _Optional[_Union[OperationMessage.RenameSnapshot, _Mapping]] = ..., drop_snapshot: _Optional[_Union[OperationMessage.Snapshot, _Mapping]] = ..., clone_directory: _Optional[_Union[OperationMessage.CloneDirectory, _Mapping]] = ..., merge_each_directory: _Optional[_Union[OperationMessage.MergeEachDirectory, _Mapping]] = ..., create_file: _Optional[_Union[OperationMessage.CreateFile, _Mapping]] = ..., link: _Optional[_Union[OperationMessage.Link, _Mapping]] = ...) -> None: ...

class VectorRequest(_message.Message):
    __slots__ = ("mount", "request", "preconditions", "operations")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    PRECONDITIONS_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    mount: str
    request: int
    preconditions: _containers.RepeatedCompositeFieldContainer[PreconditionMessage]
    operations: _containers.RepeatedCompositeFieldContainer[OperationMessage]
    def __init__(self, mount: _Optional[str] = ..., request: _Optional[int] = ..., preconditions: _Optional[_Iterable[_Union[PreconditionMessage, _Mapping]]] = ..., operations: _Optional[_Iterable[_Union[OperationMessage, _Mapping]]] = ...) -> None: ...

class VectorReply(_message.Message):
    __slots__ = ("position", "failed", "precondition", "reason", "row_bytes")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    PRECONDITION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ROW_BYTES_FIELD_NUMBER: _ClassVar[int]
    position: int
    failed: int
    precondition: bool
    reason: OutcomeCode
    row_bytes: int
    def __init__(self, position: _Optional[int] = ..., failed: _Optional[int] = ..., precondition: bool = ..., reason: _Optional[_Union[OutcomeCode, str]] = ..., row_bytes: _Optional[int] = ...) -> None: ...

class Worker(_message.Message):
    __slots__ = ("worker", "address", "epoch", "buffered_files", "buffered_bytes", "activity", "leaving")
    WORKER_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    BUFFERED_FILES_FIELD_NUMBER: _ClassVar[int]
    BUFFERED_BYTES_FIELD_NUMBER: _ClassVar[int]
    ACTIVITY_FIELD_NUMBER: _ClassVar[int]
    LEAVING_FIELD_NUMBER: _ClassVar[int]
    worker: str
    address: str
    epoch: int
    buffered_files: int
    buffered_bytes: int
    activity: Activity
    leaving: bool
    def __init__(self, worker: _Optional[str] = ..., address: _Optional[str] = ..., epoch: _Optional[int] = ..., buffered_files: _Optional[int] = ..., buffered_bytes: _Optional[int] = ..., activity: _Optional[_Union[Activity, _Mapping]] = ..., leaving: bool = ...) -> None: ...

class StoreRequestCounts(_message.Message):
    __slots__ = ("puts", "lists", "gets", "heads", "deletes", "throttled", "failed")
    PUTS_FIELD_NUMBER: _ClassVar[int]
    LISTS_FIELD_NUMBER: _ClassVar[int]
    GETS_FIELD_NUMBER: _ClassVar[int]
    HEADS_FIELD_NUMBER: _ClassVar[int]
    DELETES_FIELD_NUMBER: _ClassVar[int]
    THROTTLED_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    puts: int
    lists: int
    gets: int
    heads: int
    deletes: int
    throttled: int
    failed: int
    def __init__(self, puts: _Optional[int] = ..., lists: _Optional[int] = ..., gets: _Optional[int] = ..., heads: _Optional[int] = ..., deletes: _Optional[int] = ..., throttled: _Optional[int] = ..., failed: _Optional[int] = ...) -> None: ...

class Activity(_message.Message):
    __slots__ = ("since_millis", "oldest_millis", "pushed_files", "pushed_bytes", "requests", "status_port")
    SINCE_MILLIS_FIELD_NUMBER: _ClassVar[int]
    OLDEST_MILLIS_FIELD_NUMBER: _ClassVar[int]
    PUSHED_FILES_FIELD_NUMBER: _ClassVar[int]
    PUSHED_BYTES_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    STATUS_PORT_FIELD_NUMBER: _ClassVar[int]
    since_millis: int
    oldest_millis: int
    pushed_files: int
    pushed_bytes: int
    requests: StoreRequestCounts
    status_port: int
    def __init__(self, since_millis: _Optional[int] = ..., oldest_millis: _Optional[int] = ..., pushed_files: _Optional[int] = ..., pushed_bytes: _Optional[int] = ..., requests: _Optional[_Union[StoreRequestCounts, _Mapping]] = ..., status_port: _Optional[int] = ...) -> None: ...

class WorkersReply(_message.Message):
    __slots__ = ("workers",)
    WORKERS_FIELD_NUMBER: _ClassVar[int]
    workers: _containers.RepeatedCompositeFieldContainer[Worker]
    def __init__(self, workers: _Optional[_Iterable[_Union[Worker, _Mapping]]] = ...) -> None: ...

class StatisticsReply(_message.Message):
    __slots__ = ("files", "directories", "buffered_files", "packed_bytes", "blobs", "blob_bytes", "dead_bytes", "lost_files", "lost_bytes", "missing_files", "position", "gaps")
    class Gap(_message.Message):
        __slots__ = ("after", "until")
        AFTER_FIELD_NUMBER: _ClassVar[int]
        UNTIL_FIELD_NUMBER: _ClassVar[int]
        after: int
        until: int
        def __init__(self, after: _Optional[int] = ..., until: _Optional[int] = ...) -> None: ...
    FILES_FIELD_NUMBER: _ClassVar[int]
    DIRECTORIES_FIELD_NUMBER: _ClassVar[int]
    BUFFERED_FILES_FIELD_NUMBER: _ClassVar[int]
    PACKED_BYTES_FIELD_NUMBER: _ClassVar[int]
    BLOBS_FIELD_NUMBER: _ClassVar[int]
    BLOB_BYTES_FIELD_NUMBER: _ClassVar[int]
    DEAD_BYTES_FIELD_NUMBER: _ClassVar[int]
    LOST_FILES_FIELD_NUMBER: _ClassVar[int]
    LOST_BYTES_FIELD_NUMBER: _ClassVar[int]
    MISSING_FILES_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    GAPS_FIELD_NUMBER: _ClassVar[int]
    files: int
    directories: int
    buffered_files: int
    packed_bytes: int
    blobs: int
    blob_bytes: int
    dead_bytes: int
    lost_files: int
    lost_bytes: int
    missing_files: int
    position: int
    gaps: _containers.RepeatedCompositeFieldContainer[StatisticsReply.Gap]
    def __init__(self, files: _Optional[int] = ..., directories: _Optional[int] = ..., buffered_files: _Optional[int] = ..., packed_bytes: _Optional[int] = ..., blobs: _Optional[int] = ..., blob_bytes: _Optional[int] = ..., dead_bytes: _Optional[int] = ..., lost_files: _Optional[int] = ..., lost_bytes: _Optional[int] = ..., missing_files: _Optional[int] = ..., position: _Optional[int] = ..., gaps: _Optional[_Iterable[_Union[StatisticsReply.Gap, _Mapping]]] = ...) -> None: ...

class CheckpointReply(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SealNowReply(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class RegisterRequest(_message.Message):
    __slots__ = ("mount", "worker", "address", "buffer", "wait", "previous_epoch")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    WORKER_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    BUFFER_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_EPOCH_FIELD_NUMBER: _ClassVar[int]
    mount: str
    worker: str
    address: str
    buffer: str
    wait: bool
    previous_epoch: int
    def __init__(self, mount: _Optional[str] = ..., worker: _Optional[str] = ..., address: _Optional[str] = ..., buffer: _Optional[str] = ..., wait: bool = ..., previous_epoch: _Optional[int] = ...) -> None: ...

class RegisterReply(_message.Message):
    __slots__ = ("epoch", "live_address", "lease_left_millis", "presumed_live")
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    LIVE_ADDRESS_FIELD_NUMBER: _ClassVar[int]
    LEASE_LEFT_MILLIS_FIELD_NUMBER: _ClassVar[int]
    PRESUMED_LIVE_FIELD_NUMBER: _ClassVar[int]
    epoch: int
    live_address: str
    lease_left_millis: int
    presumed_live: bool
    def __init__(self, epoch: _Optional[int] = ..., live_address: _Optional[str] = ..., lease_left_millis: _Optional[int] = ..., presumed_live: bool = ...) -> None: ...

class Session(_message.Message):
    __slots__ = ("mount", "worker", "epoch")
    MOUNT_FIELD_NUMBER: _ClassVar[int]
    WORKER_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    mount: str
    worker: str
    epoch: int
    def __init__(self, mount: _Optional[str] = ..., worker: _Optional[str] = ..., epoch: _Optional[int] = ...) -> None: ...

class SessionRequest(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: Session
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ...) -> None: ...

class LeaseIdsRequest(_message.Message):
    __slots__ = ("session", "count")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    session: Session
    count: int
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ..., count: _Optional[int] = ...) -> None: ...

class LeaseIdsReply(_message.Message):
    __slots__ = ("first", "count")
    FIRST_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    first: int
    count: int
    def __init__(self, first: _Optional[int] = ..., count: _Optional[int] = ...) -> None: ...

class ClaimMessage(_message.Message):
    __slots__ = ("file_id", "path", "attributes", "create_parents", "overwrite", "deferred", "sha256", "shared", "user", "superuser", "span", "extra", "fingerprint", "append")
    FILE_ID_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    CREATE_PARENTS_FIELD_NUMBER: _ClassVar[int]
    OVERWRITE_FIELD_NUMBER: _ClassVar[int]
    DEFERRED_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    SHARED_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    SUPERUSER_FIELD_NUMBER: _ClassVar[int]
    SPAN_FIELD_NUMBER: _ClassVar[int]
    EXTRA_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    APPEND_FIELD_NUMBER: _ClassVar[int]
    file_id: int
    path: str
    attributes: Attributes
    create_parents: bool
    overwrite: bool
    deferred: bool
    sha256: bytes
    shared: bool
    user: str
    superuser: bool
    span: bytes
    extra: ExtraChangeMessage
    fingerprint: int
    append: AppendMessage
    def __init__(self, file_id: _Optional[int] = ..., path: _Optional[str] = ..., attributes: _Optional[_Union[Attributes, _Mapping]] = ..., create_parents: bool = ..., overwrite: bool = ..., deferred: bool = ..., sha256: _Optional[bytes] = ..., shared: bool = ..., user: _Optional[str] = ..., superuser: bool = ..., span: _Optional[bytes] = ..., extra: _Optional[_Union[ExtraChangeMessage, _Mapping]] = ..., fingerprint: _Optional[int] = ..., append: _Optional[_Union[AppendMessage, _Mapping]] = ...) -> None: ...

class AppendMessage(_message.Message):
    __slots__ = ("path", "version", "offset")
    PATH_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    path: str
    version: Version
    offset: int
    def __init__(self, path: _Optional[str] = ..., version: _Optional[_Union[Version, _Mapping]] = ..., offset: _Optional[int] = ...) -> None: ...

class KnownRequest(_message.Message):
    __slots__ = ("session", "sha256", "users")
    class User(_message.Message):
        __slots__ = ("name", "superuser")
        NAME_FIELD_NUMBER: _ClassVar[int]
        SUPERUSER_FIELD_NUMBER: _ClassVar[int]
        name: str
        superuser: bool
        def __init__(self, name: _Optional[str] = ..., superuser: bool = ...) -> None: ...
    SESSION_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    USERS_FIELD_NUMBER: _ClassVar[int]
    session: Session
    sha256: _containers.RepeatedScalarFieldContainer[bytes]
    users: _containers.RepeatedCompositeFieldContainer[KnownRequest.User]
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ..., sha256: _Optional[_Iterable[bytes]] = ..., users: _Optional[_Iterable[_Union[KnownRequest.User, _Mapping]]] = ...) -> None: ...

class KnownReply(_message.Message):
    __slots__ = ("known",)
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    known: _containers.RepeatedScalarFieldContainer[bool]
    def __init__(self, known: _Optional[_Iterable[bool]] = ...) -> None: ...

class NoteRequest(_message.Message):
    __slots__ = ("session", "ids", "generations", "sha256", "fingerprints")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    IDS_FIELD_NUMBER: _ClassVar[int]
    GENERATIONS_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINTS_FIELD_NUMBER: _ClassVar[int]
    session: Session
    ids: _containers.RepeatedScalarFieldContainer[int]
    generations: _containers.RepeatedScalarFieldContainer[int]
    sha256: _containers.RepeatedScalarFieldContainer[bytes]
    fingerprints: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ..., ids: _Optional[_Iterable[int]] = ..., generations: _Optional[_Iterable[int]] = ..., sha256: _Optional[_Iterable[bytes]] = ..., fingerprints: _Optional[_Iterable[int]] = ...) -> None: ...

class NoteReply(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class FingerprintsRequest(_message.Message):
    __slots__ = ("session", "list", "after")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    LIST_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    session: Session
    list: int
    after: int
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ..., list: _Optional[int] = ..., after: _Optional[int] = ...) -> None: ...

class FingerprintsReply(_message.Message):
    __slots__ = ("list", "next", "complete", "more", "fingerprints")
    LIST_FIELD_NUMBER: _ClassVar[int]
    NEXT_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINTS_FIELD_NUMBER: _ClassVar[int]
    list: int
    next: int
    complete: bool
    more: bool
    fingerprints: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, list: _Optional[int] = ..., next: _Optional[int] = ..., complete: bool = ..., more: bool = ..., fingerprints: _Optional[_Iterable[int]] = ...) -> None: ...

class ClaimBatch(_message.Message):
    __slots__ = ("session", "claims")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    session: Session
    claims: _containers.RepeatedCompositeFieldContainer[ClaimMessage]
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ..., claims: _Optional[_Iterable[_Union[ClaimMessage, _Mapping]]] = ...) -> None: ...

class ClaimBatchReply(_message.Message):
    __slots__ = ("answers",)
    class Answer(_message.Message):
        __slots__ = ("generation", "refusal", "message", "appended")
        GENERATION_FIELD_NUMBER: _ClassVar[int]
        REFUSAL_FIELD_NUMBER: _ClassVar[int]
        MESSAGE_FIELD_NUMBER: _ClassVar[int]
        APPENDED_FIELD_NUMBER: _ClassVar[int]
        generation: int
        refusal: OutcomeCode
        message: str
        appended: int
        def __init__(self, generation: _Optional[int] = ..., refusal: _Optional[_Union[OutcomeCode, str]] = ..., message: _Optional[str] = ..., appended: _Optional[int] = ...) -> None: ...
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[ClaimBatchReply.Answer]
    def __init__(self, answers: _Optional[_Iterable[_Union[ClaimBatchReply.Answer, _Mapping]]] = ...) -> None: ...

class ReclaimMessage(_message.Message):
    __slots__ = ("version", "path", "attributes", "deferred", "claimed_after")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    DEFERRED_FIELD_NUMBER: _ClassVar[int]
    CLAIMED_AFTER_FIELD_NUMBER: _ClassVar[int]
    version: Version
    path: str
    attributes: Attributes
    deferred: bool
    claimed_after: int
    def __init__(self, version: _Optional[_Union[Version, _Mapping]] = ..., path: _Optional[str] = ..., attributes: _Optional[_Union[Attributes, _Mapping]] = ..., deferred: bool = ..., claimed_after: _Optional[int] = ...) -> None: ...

class ReclaimRequest(_message.Message):
    __slots__ = ("session", "files")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    session: Session
    files: _containers.RepeatedCompositeFieldContainer[ReclaimMessage]
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ..., files: _Optional[_Iterable[_Union[ReclaimMessage, _Mapping]]] = ...) -> None: ...

class ReclaimReply(_message.Message):
    __slots__ = ("answers",)
    class Answer(_message.Message):
        __slots__ = ("version",)
        VERSION_FIELD_NUMBER: _ClassVar[int]
        version: Version
        def __init__(self, version: _Optional[_Union[Version, _Mapping]] = ...) -> None: ...
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[ReclaimReply.Answer]
    def __init__(self, answers: _Optional[_Iterable[_Union[ReclaimReply.Answer, _Mapping]]] = ...) -> None: ...

class ReclaimedReply(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Pushed(_message.Message):
    __slots__ = ("blob", "length", "framing")
    BLOB_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    FRAMING_FIELD_NUMBER: _ClassVar[int]
    blob: str
    length: int
    framing: int
    def __init__(self, blob: _Optional[str] = ..., length: _Optional[int] = ..., framing: _Optional[int] = ...) -> None: ...

class CommitBatch(_message.Message):
    __slots__ = ("pushed", "blobs", "ids", "generations", "extents", "extent_blobs", "file_offsets", "lengths", "blob_offsets", "stored_lengths", "codecs", "crc32cs")
    PUSHED_FIELD_NUMBER: _ClassVar[int]
    BLOBS_FIELD_NUMBER: _ClassVar[int]
    IDS_FIELD_NUMBER: _ClassVar[int]
    GENERATIONS_FIELD_NUMBER: _ClassVar[int]
    EXTENTS_FIELD_NUMBER: _ClassVar[int]
    EXTENT_BLOBS_FIELD_NUMBER: _ClassVar[int]
    FILE_OFFSETS_FIELD_NUMBER: _ClassVar[int]
    LENGTHS_FIELD_NUMBER: _ClassVar[int]
    BLOB_OFFSETS_FIELD_NUMBER: _ClassVar[int]
    STORED_LENGTHS_FIELD_NUMBER: _ClassVar[int]
    CODECS_FIELD_NUMBER: _ClassVar[int]
    CRC32CS_FIELD_NUMBER: _ClassVar[int]
    pushed: _containers.RepeatedCompositeFieldContainer[Pushed]
    blobs: _containers.RepeatedScalarFieldContainer[str]
    ids: _containers.RepeatedScalarFieldContainer[int]
    generations: _containers.RepeatedScalarFieldContainer[int]
    extents: _containers.RepeatedScalarFieldContainer[int]
    extent_blobs: _containers.RepeatedScalarFieldContainer[int]
    file_offsets: _containers.RepeatedScalarFieldContainer[int]
    lengths: _containers.RepeatedScalarFieldContainer[int]
    blob_offsets: _containers.RepeatedScalarFieldContainer[int]
    stored_lengths: _containers.RepeatedScalarFieldContainer[int]
    codecs: _containers.RepeatedScalarFieldContainer[int]
    crc32cs: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, pushed: _Optional[_Iterable[_Union[Pushed, _Mapping]]] = ..., blobs: _Optional[_Iterable[str]] = ..., ids: _Optional[_Iterable[int]] = ..., generations: _Optional[_Iterable[int]] = ..., extents: _Optional[_Iterable[int]] = ..., extent_blobs: _Optional[_Iterable[int]] = ..., file_offsets: _Optional[_Iterable[int]] = ..., lengths: _Optional[_Iterable[int]] = ..., blob_offsets: _Optional[_Iterable[int]] = ..., stored_lengths: _Optional[_Iterable[int]] = ..., codecs: _Optional[_Iterable[int]] = ..., crc32cs: _Optional[_Iterable[int]] = ...) -> None: ...

class HeartbeatRequest(_message.Message):
    __slots__ = ("session", "buffered_files", "buffered_bytes", "commits", "activity", "presence", "newest", "homes", "homes_since_micros", "copy", "followed")
    class Presence(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STAYS: _ClassVar[HeartbeatRequest.Presence]
        LEAVES: _ClassVar[HeartbeatRequest.Presence]
        LEFT: _ClassVar[HeartbeatRequest.Presence]
    STAYS: HeartbeatRequest.Presence
    LEAVES: HeartbeatRequest.Presence
    LEFT: HeartbeatRequest.Presence
    SESSION_FIELD_NUMBER: _ClassVar[int]
    BUFFERED_FILES_FIELD_NUMBER: _ClassVar[int]
    BUFFERED_BYTES_FIELD_NUMBER: _ClassVar[int]
    COMMITS_FIELD_NUMBER: _ClassVar[int]
    ACTIVITY_FIELD_NUMBER: _ClassVar[int]
    PRESENCE_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIELD_NUMBER: _ClassVar[int]
    HOMES_FIELD_NUMBER: _ClassVar[int]
    HOMES_SINCE_MICROS_FIELD_NUMBER: _ClassVar[int]
    COPY_FIELD_NUMBER: _ClassVar[int]
    FOLLOWED_FIELD_NUMBER: _ClassVar[int]
    session: Session
    buffered_files: int
    buffered_bytes: int
    commits: CommitBatch
    activity: Activity
    presence: HeartbeatRequest.Presence
    newest: int
    homes: int
    homes_since_micros: int
    copy: CopyReportMessage
    followed: int
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ..., buffered_files: _Optional[int] = ..., buffered_bytes: _Optional[int] = ..., commits: _Optional[_Union[CommitBatch, _Mapping]] = ..., activity: _Optional[_Union[Activity, _Mapping]] = ..., presence: _Optional[_Union[HeartbeatRequest.Presence, str]] = ..., newest: _Optional[int] = ..., homes: _Optional[int] = ..., homes_since_micros: _Optional[int] = ..., copy: _Optional[_Union[CopyReportMessage, _Mapping]] = ..., followed: _Optional[int] = ...) -> None: ...

class HeartbeatReplyMessage(_message.Message):
    __slots__ = ("lease_millis", "seal_now", "forget", "leave", "deleted", "position", "journalled", "homes", "copy", "last_forget")
    LEASE_MILLIS_FIELD_NUMBER: _ClassVar[int]
    SEAL_NOW_FIELD_NUMBER: _ClassVar[int]
    FORGET_FIELD_NUMBER: _ClassVar[int]
    LEAVE_FIELD_NUMBER: _ClassVar[int]
    DELETED_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    JOURNALLED_FIELD_NUMBER: _ClassVar[int]
    HOMES_FIELD_NUMBER: _ClassVar[int]
    COPY_FIELD_NUMBER: _ClassVar[int]
    LAST_FORGET_FIELD_NUMBER: _ClassVar[int]
    lease_millis: int
    seal_now: bool
    forget: _containers.RepeatedScalarFieldContainer[int]
    leave: bool
    deleted: _containers.RepeatedScalarFieldContainer[int]
    position: int
    journalled: int
    homes: int
    copy: CopyOrderMessage
    last_forget: int
    def __init__(self, lease_millis: _Optional[int] = ..., seal_now: bool = ..., forget: _Optional[_Iterable[int]] = ..., leave: bool = ..., deleted: _Optional[_Iterable[int]] = ..., position: _Optional[int] = ..., journalled: _Optional[int] = ..., homes: _Optional[int] = ..., copy: _Optional[_Union[CopyOrderMessage, _Mapping]] = ..., last_forget: _Optional[int] = ...) -> None: ...

class CopyOrderMessage(_message.Message):
    __slots__ = ("number", "timestamp_micros", "push", "sources")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_MICROS_FIELD_NUMBER: _ClassVar[int]
    PUSH_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    number: int
    timestamp_micros: int
    push: bool
    sources: _containers.RepeatedCompositeFieldContainer[CopySource]
    def __init__(self, number: _Optional[int] = ..., timestamp_micros: _Optional[int] = ..., push: bool = ..., sources: _Optional[_Iterable[_Union[CopySource, _Mapping]]] = ...) -> None: ...

class CopySource(_message.Message):
    __slots__ = ("length", "files", "blob", "ranks", "ranges", "gaps", "range_lengths")
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    BLOB_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    RANGES_FIELD_NUMBER: _ClassVar[int]
    GAPS_FIELD_NUMBER: _ClassVar[int]
    RANGE_LENGTHS_FIELD_NUMBER: _ClassVar[int]
    length: int
    files: CommitBatch
    blob: str
    ranks: _containers.RepeatedScalarFieldContainer[int]
    ranges: _containers.RepeatedScalarFieldContainer[int]
    gaps: _containers.RepeatedScalarFieldContainer[int]
    range_lengths: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, length: _Optional[int] = ..., files: _Optional[_Union[CommitBatch, _Mapping]] = ..., blob: _Optional[str] = ..., ranks: _Optional[_Iterable[int]] = ..., ranges: _Optional[_Iterable[int]] = ..., gaps: _Optional[_Iterable[int]] = ..., range_lengths: _Optional[_Iterable[int]] = ...) -> None: ...

class CopyReportMessage(_message.Message):
    __slots__ = ("number", "state", "blob", "files", "failure")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        IDLE: _ClassVar[CopyReportMessage.State]
        WORKING: _ClassVar[CopyReportMessage.State]
        BUILT: _ClassVar[CopyReportMessage.State]
        PUSHED: _ClassVar[CopyReportMessage.State]
        FAILED: _ClassVar[CopyReportMessage.State]
    IDLE: CopyReportMessage.State
    WORKING: CopyReportMessage.State
    BUILT: CopyReportMessage.State
    PUSHED: CopyReportMessage.State
    FAILED: CopyReportMessage.State
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    BLOB_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    number: int
    state: CopyReportMessage.State
    blob: Pushed
    files: CommitBatch
    failure: str
    def __init__(self, number: _Optional[int] = ..., state: _Optional[_Union[CopyReportMessage.State, str]] = ..., blob: _Optional[_Union[Pushed, _Mapping]] = ..., files: _Optional[_Union[CommitBatch, _Mapping]] = ..., failure: _Optional[str] = ...) -> None: ...

package io.packing.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A call of the HDFS client interface that HTFS records (Harter's thesis, §3.2.1; the complete list of today's Hadoop).
 *
 * <p>The id is what a trace holds: ids are never used again and never change their meaning. A reader that meets an id
 * it does not know reports {@link #UNKNOWN} and goes on.
 */
public enum Call {
    /** A call of a newer tracer. */
    UNKNOWN(0, Subject.FILE_SYSTEM, "unknown"),
    OPEN(1, Subject.FILE_SYSTEM, "open"),
    OPEN_PATH_HANDLE(2, Subject.FILE_SYSTEM, "openPathHandle"),
    OPEN_FILE(3, Subject.FILE_SYSTEM, "openFile"),
    CREATE(4, Subject.FILE_SYSTEM, "create"),
    CREATE_FILE(5, Subject.FILE_SYSTEM, "createFile"),
    CREATE_NON_RECURSIVE(6, Subject.FILE_SYSTEM, "createNonRecursive"),
    CREATE_FAVORED_NODES(7, Subject.FILE_SYSTEM, "createFavoredNodes"),
    APPEND(8, Subject.FILE_SYSTEM, "append"),
    APPEND_FILE(9, Subject.FILE_SYSTEM, "appendFile"),
    TRUNCATE(10, Subject.FILE_SYSTEM, "truncate"),
    CONCAT(11, Subject.FILE_SYSTEM, "concat"),
    RENAME(12, Subject.FILE_SYSTEM, "rename"),
    DELETE(13, Subject.FILE_SYSTEM, "delete"),
    BULK_DELETE(14, Subject.FILE_SYSTEM, "bulkDelete"),
    DELETE_ON_EXIT(15, Subject.FILE_SYSTEM, "deleteOnExit"),
    MKDIRS(16, Subject.FILE_SYSTEM, "mkdirs"),
    LIST_STATUS(17, Subject.FILE_SYSTEM, "listStatus"),
    LIST_STATUS_BATCH(18, Subject.FILE_SYSTEM, "listStatusBatch"),
    LIST_STATUS_ITERATOR(19, Subject.FILE_SYSTEM, "listStatusIterator"),
    LIST_LOCATED_STATUS(20, Subject.FILE_SYSTEM, "listLocatedStatus"),
    LIST_FILES(21, Subject.FILE_SYSTEM, "listFiles"),
    LIST_CORRUPT_FILE_BLOCKS(22, Subject.FILE_SYSTEM, "listCorruptFileBlocks"),
    GLOB_STATUS(23, Subject.FILE_SYSTEM, "globStatus"),
    GET_FILE_STATUS(24, Subject.FILE_SYSTEM, "getFileStatus"),
    GET_FILE_LINK_STATUS(25, Subject.FILE_SYSTEM, "getFileLinkStatus"),
    EXISTS(26, Subject.FILE_SYSTEM, "exists"),
    IS_FILE(27, Subject.FILE_SYSTEM, "isFile"),
    IS_DIRECTORY(28, Subject.FILE_SYSTEM, "isDirectory"),
    GET_FILE_BLOCK_LOCATIONS(29, Subject.FILE_SYSTEM, "getFileBlockLocations"),
    GET_FILE_CHECKSUM(30, Subject.FILE_SYSTEM, "getFileChecksum"),
    GET_CONTENT_SUMMARY(31, Subject.FILE_SYSTEM, "getContentSummary"),
    GET_QUOTA_USAGE(32, Subject.FILE_SYSTEM, "getQuotaUsage"),
    GET_STATUS(33, Subject.FILE_SYSTEM, "getStatus"),
    GET_USED(34, Subject.FILE_SYSTEM, "getUsed"),
    GET_SERVER_DEFAULTS(35, Subject.FILE_SYSTEM, "getServerDefaults"),
    GET_DEFAULT_BLOCK_SIZE(36, Subject.FILE_SYSTEM, "getDefaultBlockSize"),
    GET_DEFAULT_REPLICATION(37, Subject.FILE_SYSTEM, "getDefaultReplication"),
    GET_PATH_HANDLE(38, Subject.FILE_SYSTEM, "getPathHandle"),
    SET_REPLICATION(39, Subject.FILE_SYSTEM, "setReplication"),
    SET_PERMISSION(40, Subject.FILE_SYSTEM, "setPermission"),
    SET_OWNER(41, Subject.FILE_SYSTEM, "setOwner"),
    SET_TIMES(42, Subject.FILE_SYSTEM, "setTimes"),
    SET_VERIFY_CHECKSUM(43, Subject.FILE_SYSTEM, "setVerifyChecksum"),
    SET_WRITE_CHECKSUM(44, Subject.FILE_SYSTEM, "setWriteChecksum"),
    SET_STORAGE_POLICY(45, Subject.FILE_SYSTEM, "setStoragePolicy"),
    UNSET_STORAGE_POLICY(46, Subject.FILE_SYSTEM, "unsetStoragePolicy"),
    GET_STORAGE_POLICY(47, Subject.FILE_SYSTEM, "getStoragePolicy"),
    SATISFY_STORAGE_POLICY(48, Subject.FILE_SYSTEM, "satisfyStoragePolicy"),
    SET_QUOTA(49, Subject.FILE_SYSTEM, "setQuota"),
    MODIFY_ACL(50, Subject.FILE_SYSTEM, "modifyAcl"),
    GET_ACL(51, Subject.FILE_SYSTEM, "getAcl"),
    SET_XATTR(52, Subject.FILE_SYSTEM, "setXAttr"),
    GET_XATTR(53, Subject.FILE_SYSTEM, "getXAttr"),
    REMOVE_XATTR(54, Subject.FILE_SYSTEM, "removeXAttr"),
    CREATE_SNAPSHOT(55, Subject.FILE_SYSTEM, "createSnapshot"),
    RENAME_SNAPSHOT(56, Subject.FILE_SYSTEM, "renameSnapshot"),
    DELETE_SNAPSHOT(57, Subject.FILE_SYSTEM, "deleteSnapshot"),
    GET_SNAPSHOT_DIFF(58, Subject.FILE_SYSTEM, "getSnapshotDiff"),
    ALLOW_SNAPSHOT(59, Subject.FILE_SYSTEM, "allowSnapshot"),
    CREATE_SYMLINK(60, Subject.FILE_SYSTEM, "createSymlink"),
    GET_LINK_TARGET(61, Subject.FILE_SYSTEM, "getLinkTarget"),
    ACCESS(62, Subject.FILE_SYSTEM, "access"),
    MSYNC(63, Subject.FILE_SYSTEM, "msync"),
    COPY_FROM_LOCAL(64, Subject.FILE_SYSTEM, "copyFromLocal"),
    COPY_TO_LOCAL(65, Subject.FILE_SYSTEM, "copyToLocal"),
    CREATE_MULTIPART_UPLOADER(66, Subject.FILE_SYSTEM, "createMultipartUploader"),
    RECOVER_LEASE(67, Subject.FILE_SYSTEM, "recoverLease"),
    IS_FILE_CLOSED(68, Subject.FILE_SYSTEM, "isFileClosed"),
    ERASURE_CODING(69, Subject.FILE_SYSTEM, "erasureCoding"),
    CACHE_DIRECTIVE(70, Subject.FILE_SYSTEM, "cacheDirective"),
    ENCRYPTION_ZONE(71, Subject.FILE_SYSTEM, "encryptionZone"),
    SAFE_MODE(72, Subject.FILE_SYSTEM, "safeMode"),
    ADMIN_COMMAND(73, Subject.FILE_SYSTEM, "adminCommand"),
    GET_DELEGATION_TOKEN(74, Subject.FILE_SYSTEM, "getDelegationToken"),
    ITERATIVE_GET_OPEN_FILES(75, Subject.FILE_SYSTEM, "iterativeGetOpenFiles"),
    HARD_LINK(76, Subject.FILE_SYSTEM, "hardLink"),
    GET_NAME(77, Subject.FILE_SYSTEM, "getName"),
    CLOSE_FILE_SYSTEM(78, Subject.FILE_SYSTEM, "closeFileSystem"),
    READ(128, Subject.INPUT, "read"),
    READ_BYTE_BUFFER(129, Subject.INPUT, "readByteBuffer"),
    PREAD(130, Subject.INPUT, "pread"),
    PREAD_FULLY(131, Subject.INPUT, "preadFully"),
    PREAD_BYTE_BUFFER(132, Subject.INPUT, "preadByteBuffer"),
    PREAD_FULLY_BYTE_BUFFER(133, Subject.INPUT, "preadFullyByteBuffer"),
    READ_VECTORED(134, Subject.INPUT, "readVectored"),
    READ_ZERO_COPY(135, Subject.INPUT, "readZeroCopy"),
    RELEASE_BUFFER(136, Subject.INPUT, "releaseBuffer"),
    SEEK(137, Subject.INPUT, "seek"),
    SEEK_TO_NEW_SOURCE(138, Subject.INPUT, "seekToNewSource"),
    SKIP(139, Subject.INPUT, "skip"),
    GET_POS(140, Subject.INPUT, "getPos"),
    AVAILABLE(141, Subject.INPUT, "available"),
    MARK(142, Subject.INPUT, "mark"),
    RESET(143, Subject.INPUT, "reset"),
    UNBUFFER(144, Subject.INPUT, "unbuffer"),
    SET_READAHEAD(145, Subject.INPUT, "setReadahead"),
    SET_DROP_BEHIND_INPUT(146, Subject.INPUT, "setDropBehindInput"),
    CLOSE_INPUT(147, Subject.INPUT, "closeInput"),
    WRITE(192, Subject.OUTPUT, "write"),
    FLUSH(193, Subject.OUTPUT, "flush"),
    HFLUSH(194, Subject.OUTPUT, "hflush"),
    HSYNC(195, Subject.OUTPUT, "hsync"),
    HSYNC_UPDATE_LENGTH(196, Subject.OUTPUT, "hsyncUpdateLength"),
    SET_DROP_BEHIND_OUTPUT(197, Subject.OUTPUT, "setDropBehindOutput"),
    ABORT(198, Subject.OUTPUT, "abort"),
    CLOSE_OUTPUT(199, Subject.OUTPUT, "closeOutput");

    private static final Map<Integer, Call> BY_ID = new HashMap<>();
    private static final Map<String, Call> BY_LABEL = new HashMap<>();

    static {
        for (Call call : values()) {
            BY_ID.put(call.id, call);
            BY_LABEL.put(call.label, call);
        }
    }

    private final int id;
    private final Subject subject;
    private final String label;

    Call(int id, Subject subject, String label) {
        this.id = id;
        this.subject = subject;
        this.label = label;
    }

    /** The number in the trace, 0 to 255. */
    public int id() {
        return id;
    }

    public Subject subject() {
        return subject;
    }

    /** The name that people read and filter by: the Java method's, told apart where two interfaces share one. */
    public String label() {
        return label;
    }

    /** Whether the call moves bytes of file content from the file to the client. */
    public boolean reads() {
        return subject == Subject.INPUT && id >= READ.id && id <= READ_ZERO_COPY.id;
    }

    /** Whether the call moves bytes of file content from the client to the file. */
    public boolean writes() {
        return this == WRITE;
    }

    /** The call of {@code id}, {@link #UNKNOWN} when this version has none. */
    public static Call ofId(int id) {
        return BY_ID.getOrDefault(id, UNKNOWN);
    }

    /** The call that people name {@code label}. */
    public static Optional<Call> ofLabel(String label) {
        return Optional.ofNullable(BY_LABEL.get(label));
    }
}

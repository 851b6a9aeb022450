// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A traced call of the HDFS client interface (Harter's thesis, §3.2.1; the complete list of today's Hadoop), or of
 * Linux (chapter 2). Labels of the latter begin with {@code sys_}. Calls of the file system on Linux that differ only
 * in the width of a number share an id.
 *
 * <p>A trace holds the id: an id is never used again and never changes its meaning. A reader that meets an id it does
 * not know reports {@link #UNKNOWN} and goes on.
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
    CLOSE_OUTPUT(199, Subject.OUTPUT, "closeOutput"),
    SYS_OPEN(256, Subject.SYSTEM, "sys_open"),
    SYS_OPENAT(257, Subject.SYSTEM, "sys_openat"),
    SYS_OPENAT2(258, Subject.SYSTEM, "sys_openat2"),
    SYS_CREAT(259, Subject.SYSTEM, "sys_creat"),
    SYS_OPEN_BY_HANDLE_AT(260, Subject.SYSTEM, "sys_open_by_handle_at"),
    SYS_CLOSE(261, Subject.SYSTEM, "sys_close"),
    SYS_CLOSE_RANGE(262, Subject.SYSTEM, "sys_close_range"),
    SYS_DUP(263, Subject.SYSTEM, "sys_dup"),
    SYS_DUP2(264, Subject.SYSTEM, "sys_dup2"),
    SYS_DUP3(265, Subject.SYSTEM, "sys_dup3"),
    SYS_FCNTL(266, Subject.SYSTEM, "sys_fcntl"),
    SYS_FLOCK(267, Subject.SYSTEM, "sys_flock"),
    SYS_READ(268, Subject.SYSTEM, "sys_read"),
    SYS_PREAD64(269, Subject.SYSTEM, "sys_pread64"),
    SYS_READV(270, Subject.SYSTEM, "sys_readv"),
    SYS_PREADV(271, Subject.SYSTEM, "sys_preadv"),
    SYS_PREADV2(272, Subject.SYSTEM, "sys_preadv2"),
    SYS_AIO_READ(273, Subject.SYSTEM, "sys_aio_read"),
    SYS_GETDENTS(274, Subject.SYSTEM, "sys_getdents"),
    SYS_GETDENTS64(275, Subject.SYSTEM, "sys_getdents64"),
    SYS_WRITE(276, Subject.SYSTEM, "sys_write"),
    SYS_PWRITE64(277, Subject.SYSTEM, "sys_pwrite64"),
    SYS_WRITEV(278, Subject.SYSTEM, "sys_writev"),
    SYS_PWRITEV(279, Subject.SYSTEM, "sys_pwritev"),
    SYS_PWRITEV2(280, Subject.SYSTEM, "sys_pwritev2"),
    SYS_AIO_WRITE(281, Subject.SYSTEM, "sys_aio_write"),
    SYS_SENDFILE(282, Subject.SYSTEM, "sys_sendfile"),
    SYS_SENDFILE_TO(283, Subject.SYSTEM, "sys_sendfile_to"),
    SYS_COPY_FILE_RANGE(284, Subject.SYSTEM, "sys_copy_file_range"),
    SYS_COPY_FILE_RANGE_TO(285, Subject.SYSTEM, "sys_copy_file_range_to"),
    SYS_SPLICE(286, Subject.SYSTEM, "sys_splice"),
    SYS_SPLICE_TO(287, Subject.SYSTEM, "sys_splice_to"),
    SYS_LSEEK(288, Subject.SYSTEM, "sys_lseek"),
    SYS_TRUNCATE(289, Subject.SYSTEM, "sys_truncate"),
    SYS_FTRUNCATE(290, Subject.SYSTEM, "sys_ftruncate"),
    SYS_FALLOCATE(291, Subject.SYSTEM, "sys_fallocate"),
    SYS_FSYNC(292, Subject.SYSTEM, "sys_fsync"),
    SYS_FDATASYNC(293, Subject.SYSTEM, "sys_fdatasync"),
    SYS_SYNC(294, Subject.SYSTEM, "sys_sync"),
    SYS_SYNCFS(295, Subject.SYSTEM, "sys_syncfs"),
    SYS_SYNC_FILE_RANGE(296, Subject.SYSTEM, "sys_sync_file_range"),
    SYS_MMAP(297, Subject.SYSTEM, "sys_mmap"),
    SYS_MSYNC(298, Subject.SYSTEM, "sys_msync"),
    SYS_MADVISE(299, Subject.SYSTEM, "sys_madvise"),
    SYS_FADVISE64(300, Subject.SYSTEM, "sys_fadvise64"),
    SYS_READAHEAD(301, Subject.SYSTEM, "sys_readahead"),
    SYS_RENAME(302, Subject.SYSTEM, "sys_rename"),
    SYS_RENAMEAT(303, Subject.SYSTEM, "sys_renameat"),
    SYS_RENAMEAT2(304, Subject.SYSTEM, "sys_renameat2"),
    SYS_LINK(305, Subject.SYSTEM, "sys_link"),
    SYS_LINKAT(306, Subject.SYSTEM, "sys_linkat"),
    SYS_SYMLINK(307, Subject.SYSTEM, "sys_symlink"),
    SYS_SYMLINKAT(308, Subject.SYSTEM, "sys_symlinkat"),
    SYS_UNLINK(309, Subject.SYSTEM, "sys_unlink"),
    SYS_UNLINKAT(310, Subject.SYSTEM, "sys_unlinkat"),
    SYS_MKDIR(311, Subject.SYSTEM, "sys_mkdir"),
    SYS_MKDIRAT(312, Subject.SYSTEM, "sys_mkdirat"),
    SYS_RMDIR(313, Subject.SYSTEM, "sys_rmdir"),
    SYS_MKNOD(314, Subject.SYSTEM, "sys_mknod"),
    SYS_MKNODAT(315, Subject.SYSTEM, "sys_mknodat"),
    SYS_STAT(316, Subject.SYSTEM, "sys_stat"),
    SYS_LSTAT(317, Subject.SYSTEM, "sys_lstat"),
    SYS_FSTAT(318, Subject.SYSTEM, "sys_fstat"),
    SYS_NEWFSTATAT(319, Subject.SYSTEM, "sys_newfstatat"),
    SYS_STATX(320, Subject.SYSTEM, "sys_statx"),
    SYS_STATFS(321, Subject.SYSTEM, "sys_statfs"),
    SYS_FSTATFS(322, Subject.SYSTEM, "sys_fstatfs"),
    SYS_ACCESS(323, Subject.SYSTEM, "sys_access"),
    SYS_FACCESSAT(324, Subject.SYSTEM, "sys_faccessat"),
    SYS_FACCESSAT2(325, Subject.SYSTEM, "sys_faccessat2"),
    SYS_READLINK(326, Subject.SYSTEM, "sys_readlink"),
    SYS_READLINKAT(327, Subject.SYSTEM, "sys_readlinkat"),
    SYS_CHMOD(328, Subject.SYSTEM, "sys_chmod"),
    SYS_FCHMOD(329, Subject.SYSTEM, "sys_fchmod"),
    SYS_FCHMODAT(330, Subject.SYSTEM, "sys_fchmodat"),
    SYS_CHOWN(331, Subject.SYSTEM, "sys_chown"),
    SYS_LCHOWN(332, Subject.SYSTEM, "sys_lchown"),
    SYS_FCHOWN(333, Subject.SYSTEM, "sys_fchown"),
    SYS_FCHOWNAT(334, Subject.SYSTEM, "sys_fchownat"),
    SYS_UTIME(335, Subject.SYSTEM, "sys_utime"),
    SYS_UTIMES(336, Subject.SYSTEM, "sys_utimes"),
    SYS_FUTIMESAT(337, Subject.SYSTEM, "sys_futimesat"),
    SYS_UTIMENSAT(338, Subject.SYSTEM, "sys_utimensat"),
    SYS_GETXATTR(339, Subject.SYSTEM, "sys_getxattr"),
    SYS_LGETXATTR(340, Subject.SYSTEM, "sys_lgetxattr"),
    SYS_FGETXATTR(341, Subject.SYSTEM, "sys_fgetxattr"),
    SYS_LISTXATTR(342, Subject.SYSTEM, "sys_listxattr"),
    SYS_LLISTXATTR(343, Subject.SYSTEM, "sys_llistxattr"),
    SYS_FLISTXATTR(344, Subject.SYSTEM, "sys_flistxattr"),
    SYS_SETXATTR(345, Subject.SYSTEM, "sys_setxattr"),
    SYS_LSETXATTR(346, Subject.SYSTEM, "sys_lsetxattr"),
    SYS_FSETXATTR(347, Subject.SYSTEM, "sys_fsetxattr"),
    SYS_REMOVEXATTR(348, Subject.SYSTEM, "sys_removexattr"),
    SYS_LREMOVEXATTR(349, Subject.SYSTEM, "sys_lremovexattr"),
    SYS_FREMOVEXATTR(350, Subject.SYSTEM, "sys_fremovexattr"),
    SYS_CHDIR(351, Subject.SYSTEM, "sys_chdir"),
    SYS_FCHDIR(352, Subject.SYSTEM, "sys_fchdir"),
    SYS_CHROOT(353, Subject.SYSTEM, "sys_chroot"),
    SYS_MOUNT(354, Subject.SYSTEM, "sys_mount"),
    SYS_UMOUNT2(355, Subject.SYSTEM, "sys_umount2"),
    SYS_PIVOT_ROOT(356, Subject.SYSTEM, "sys_pivot_root"),
    SYS_INOTIFY_ADD_WATCH(357, Subject.SYSTEM, "sys_inotify_add_watch"),
    SYS_EXECVE(358, Subject.SYSTEM, "sys_execve"),
    SYS_EXECVEAT(359, Subject.SYSTEM, "sys_execveat"),
    SYS_CLONE(360, Subject.SYSTEM, "sys_clone"),
    SYS_CLONE3(361, Subject.SYSTEM, "sys_clone3"),
    SYS_FORK(362, Subject.SYSTEM, "sys_fork"),
    SYS_VFORK(363, Subject.SYSTEM, "sys_vfork"),
    SYS_UNSHARE(364, Subject.SYSTEM, "sys_unshare"),
    SYS_FICLONE(366, Subject.SYSTEM, "sys_ficlone"),
    SYS_FICLONERANGE(367, Subject.SYSTEM, "sys_ficlonerange"),
    /** A file as it was before the recording: its size, and its type in the hints. */
    SNAPSHOT(512, Subject.NOTE, "snapshot"),
    /** Input or output that left no event: {@code result} many times, for the reason in the hints. */
    UNSEEN(513, Subject.NOTE, "unseen"),
    /** Bytes that went through descriptors of no file, by kind and direction, in the hints. */
    ELSEWHERE(514, Subject.NOTE, "elsewhere"),
    /** The last descriptor of an open file went away without a close: its process ended or became another program. */
    CLOSED(515, Subject.NOTE, "closed"),
    /** The recording was disturbed {@code result} many times, in the way that the hints name. */
    IRREGULAR(516, Subject.NOTE, "irregular"),
    /** A stack of functions that made calls: its number is the result, its frames are in the hints. */
    STACK(517, Subject.NOTE, "stack"),
    /** A page fault brought a range of a mapped file in; without a path, page faults are traced. */
    PAGED(518, Subject.NOTE, "paged"),
    /** The processor time that the recorded processes took: {@code result} nanoseconds. */
    PROCESSOR(519, Subject.NOTE, "processor");

    /** The first id that only version 2 of the format can hold. */
    static final int FIRST_OF_VERSION_2 = 256;

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
    private final boolean reads;
    private final boolean writes;

    Call(int id, Subject subject, String label) {
        this.id = id;
        this.subject = subject;
        this.label = label;
        this.reads = (id >= 128 && id <= 135) || Moves.READS.contains(label);
        this.writes = id == 192 || Moves.WRITES.contains(label);
    }

    /**
     * The system calls that move bytes of files; apart, because an enum's constructor may not use its static fields.
     */
    private static final class Moves {
        private static final Set<String> READS = Set.of(
                "sys_read",
                "sys_pread64",
                "sys_readv",
                "sys_preadv",
                "sys_preadv2",
                "sys_aio_read",
                "sys_sendfile",
                "sys_copy_file_range",
                "sys_splice");
        private static final Set<String> WRITES = Set.of(
                "sys_write",
                "sys_pwrite64",
                "sys_writev",
                "sys_pwritev",
                "sys_pwritev2",
                "sys_aio_write",
                "sys_sendfile_to",
                "sys_copy_file_range_to",
                "sys_splice_to");
    }

    /** Returns the number in the trace; below {@value #FIRST_OF_VERSION_2} for calls that version 1 can hold. */
    public int id() {
        return id;
    }

    public Subject subject() {
        return subject;
    }

    /** Returns the name for reports and filters: the Java method's, with an addition where two interfaces share one. */
    public String label() {
        return label;
    }

    /** Returns whether the call moves bytes of file content from the file to the client. */
    public boolean reads() {
        return reads;
    }

    /** Returns whether the call moves bytes of file content from the client to the file. */
    public boolean writes() {
        return writes;
    }

    /** Returns the call of {@code id}, {@link #UNKNOWN} when this version has none. */
    public static Call ofId(int id) {
        return BY_ID.getOrDefault(id, UNKNOWN);
    }

    /** Returns whether the event is only a note about the trace, and stands for no call. */
    public boolean isNote() {
        return subject == Subject.NOTE;
    }

    /** Returns whether the bytes that the call reads are entries of a directory. */
    public boolean listsDirectory() {
        return this == SYS_GETDENTS || this == SYS_GETDENTS64;
    }

    /** Returns the call with this label. */
    public static Optional<Call> ofLabel(String label) {
        return Optional.ofNullable(BY_LABEL.get(label));
    }
}

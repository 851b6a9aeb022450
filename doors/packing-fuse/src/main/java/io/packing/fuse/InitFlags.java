// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

/** Abilities of kernel and server, as the bits of INIT. Those above 31 travel in a second word. */
final class InitFlags {
    static final long ASYNC_READ = 1;
    static final long ATOMIC_O_TRUNC = 1 << 3;
    static final long BIG_WRITES = 1 << 5;
    static final long DONT_MASK = 1 << 6;
    static final long AUTO_INVAL_DATA = 1 << 12;
    static final long DO_READDIRPLUS = 1 << 13;
    static final long READDIRPLUS_AUTO = 1 << 14;
    static final long ASYNC_DIO = 1 << 15;
    static final long NO_OPEN_SUPPORT = 1 << 17;
    static final long PARALLEL_DIROPS = 1 << 18;
    static final long POSIX_ACL = 1 << 20;
    static final long MAX_PAGES = 1 << 22;
    static final long CACHE_SYMLINKS = 1 << 23;
    static final long NO_OPENDIR_SUPPORT = 1 << 24;
    static final long HANDLE_KILLPRIV_V2 = 1 << 28;
    static final long INIT_EXT = 1 << 30;
    static final long HAS_RESEND = 1L << 39;

    /** The flags of every file system. */
    static final long WANTED = ASYNC_READ
            | BIG_WRITES
            | DO_READDIRPLUS
            | READDIRPLUS_AUTO
            | ASYNC_DIO
            | PARALLEL_DIROPS
            | MAX_PAGES
            | CACHE_SYMLINKS
            | INIT_EXT
            | HAS_RESEND;

    /** The flags of unchanging file systems only. */
    static final long READ_ONLY = NO_OPEN_SUPPORT | NO_OPENDIR_SUPPORT;

    /** The flags of changing file systems only. */
    static final long READ_WRITE = AUTO_INVAL_DATA;

    /**
     * The flags of file systems with extended attributes only. The last one lets the kernel remember which files have
     * no capabilities.
     */
    static final long EXTENDED = DONT_MASK | POSIX_ACL | HANDLE_KILLPRIV_V2;

    private InitFlags() {}
}

// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

/** The numbers of the protocol, as its specification names them: doc/proto.md of the NBD project. */
final class NbdNumbers {
    static final long INIT_MAGIC = 0x4e42444d41474943L;
    static final long OPTION_MAGIC = 0x49484156454f5054L;
    static final long OPTION_REPLY_MAGIC = 0x3e889045565a9L;
    static final int REQUEST_MAGIC = 0x25609513;
    static final int SIMPLE_REPLY_MAGIC = 0x67446698;
    static final int STRUCTURED_REPLY_MAGIC = 0x668e33ef;

    // Flags of the handshake: the two of the client have the numbers of the two of the server.
    static final int FIXED_NEWSTYLE = 1;
    static final int NO_ZEROES = 2;

    // Options.
    static final int OPT_EXPORT_NAME = 1;
    static final int OPT_ABORT = 2;
    static final int OPT_LIST = 3;
    static final int OPT_STARTTLS = 5;
    static final int OPT_INFO = 6;
    static final int OPT_GO = 7;
    static final int OPT_STRUCTURED_REPLY = 8;
    static final int OPT_LIST_META_CONTEXT = 9;
    static final int OPT_SET_META_CONTEXT = 10;

    // Replies to options.
    static final int REP_ACK = 1;
    static final int REP_SERVER = 2;
    static final int REP_INFO = 3;
    static final int REP_META_CONTEXT = 4;
    static final int REP_ERR_UNSUP = 1 << 31 | 1;
    static final int REP_ERR_POLICY = 1 << 31 | 2;
    static final int REP_ERR_INVALID = 1 << 31 | 3;
    static final int REP_ERR_TLS_REQD = 1 << 31 | 5;
    static final int REP_ERR_UNKNOWN = 1 << 31 | 6;
    static final int REP_ERR_TOO_BIG = 1 << 31 | 9;

    // Kinds of information.
    static final int INFO_EXPORT = 0;
    static final int INFO_NAME = 1;
    static final int INFO_DESCRIPTION = 2;
    static final int INFO_BLOCK_SIZE = 3;

    // Flags of a device.
    static final int FLAG_HAS_FLAGS = 1;
    static final int FLAG_READ_ONLY = 1 << 1;
    static final int FLAG_SEND_FLUSH = 1 << 2;
    static final int FLAG_SEND_FUA = 1 << 3;
    static final int FLAG_SEND_TRIM = 1 << 5;
    static final int FLAG_SEND_WRITE_ZEROES = 1 << 6;
    static final int FLAG_SEND_DF = 1 << 7;
    static final int FLAG_CAN_MULTI_CONN = 1 << 8;
    static final int FLAG_SEND_CACHE = 1 << 10;
    static final int FLAG_SEND_FAST_ZERO = 1 << 11;

    // Commands.
    static final int CMD_READ = 0;
    static final int CMD_WRITE = 1;
    static final int CMD_DISC = 2;
    static final int CMD_FLUSH = 3;
    static final int CMD_TRIM = 4;
    static final int CMD_CACHE = 5;
    static final int CMD_WRITE_ZEROES = 6;
    static final int CMD_BLOCK_STATUS = 7;

    // Flags of commands.
    static final int CMD_FLAG_FUA = 1;
    static final int CMD_FLAG_NO_HOLE = 1 << 1;
    static final int CMD_FLAG_DF = 1 << 2;
    static final int CMD_FLAG_REQ_ONE = 1 << 3;
    static final int CMD_FLAG_FAST_ZERO = 1 << 4;

    // Chunks of a structured reply.
    static final int CHUNK_DONE = 1;
    static final int CHUNK_NONE = 0;
    static final int CHUNK_OFFSET_DATA = 1;
    static final int CHUNK_OFFSET_HOLE = 2;
    static final int CHUNK_BLOCK_STATUS = 5;
    static final int CHUNK_ERROR = 1 << 15 | 1;

    static final int STATE_HOLE = 1;
    static final int STATE_ZERO = 1 << 1;

    static final String ALLOCATION = "base:allocation";
    static final int ALLOCATION_ID = 1;

    /** The most bytes of a name or of any other text. */
    static final int MOST_TEXT = 4_096;

    /** The block sizes that a client gets: any byte can be written, and blocks of 4 KB cost least. */
    static final int MIN_BLOCK = 1;

    static final int PREFERRED_BLOCK = 4 << 10;
    static final int MOST_PAYLOAD = 32 << 20;

    private NbdNumbers() {}
}

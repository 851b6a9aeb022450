// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools;

import io.packing.trace.Call;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The call numbers of the original HTFS (Apache Hadoop's Facebook branch), and today's calls for them. */
final class HtfsCsvCalls {
    /** The number of a run of small reads or writes on one stream. */
    static final int COLLAPSED = 1;

    private static final int FIRST = 2;
    /** The calls in the order of their numbers, from 2 on. */
    private static final List<Call> CALLS = List.of(
            Call.GET_NAME,
            Call.GET_FILE_BLOCK_LOCATIONS,
            Call.OPEN,
            Call.APPEND,
            Call.CREATE,
            Call.CREATE,
            Call.CREATE_NON_RECURSIVE,
            Call.CREATE_NON_RECURSIVE,
            Call.SET_REPLICATION,
            Call.HARD_LINK,
            Call.RENAME,
            Call.DELETE,
            Call.DELETE,
            Call.LIST_STATUS,
            Call.MKDIRS,
            Call.ITERATIVE_GET_OPEN_FILES,
            Call.GET_USED,
            Call.GET_DEFAULT_BLOCK_SIZE,
            Call.GET_DEFAULT_REPLICATION,
            Call.GET_CONTENT_SUMMARY,
            Call.GET_FILE_STATUS,
            Call.GET_FILE_CHECKSUM,
            Call.SET_VERIFY_CHECKSUM,
            Call.CLOSE_FILE_SYSTEM,
            Call.SET_OWNER,
            Call.SET_TIMES,
            Call.SET_PERMISSION,
            Call.SEEK,
            Call.GET_POS,
            Call.SEEK_TO_NEW_SOURCE,
            Call.PREAD,
            Call.PREAD_FULLY,
            Call.PREAD_FULLY,
            Call.READ,
            Call.READ,
            Call.READ,
            Call.SKIP,
            Call.AVAILABLE,
            Call.CLOSE_INPUT,
            Call.MARK,
            Call.RESET,
            Call.HFLUSH,
            Call.WRITE,
            Call.WRITE,
            Call.WRITE,
            Call.FLUSH,
            Call.CLOSE_OUTPUT);

    private static final Map<Call, Integer> NUMBERS = new EnumMap<>(Call.class);
    private static final Map<Integer, Call> BY_NUMBER = new HashMap<>();

    static {
        for (int i = 0; i < CALLS.size(); i++) {
            NUMBERS.putIfAbsent(CALLS.get(i), FIRST + i);
            BY_NUMBER.put(FIRST + i, CALLS.get(i));
        }
        // Today's variants without a number of their own get the number of the call that the original would have seen.
        NUMBERS.put(Call.PREAD_BYTE_BUFFER, FIRST + CALLS.indexOf(Call.PREAD));
        NUMBERS.put(Call.PREAD_FULLY_BYTE_BUFFER, FIRST + CALLS.indexOf(Call.PREAD_FULLY));
        NUMBERS.put(Call.READ_BYTE_BUFFER, FIRST + CALLS.indexOf(Call.READ));
        NUMBERS.put(Call.READ_VECTORED, FIRST + CALLS.indexOf(Call.PREAD));
        NUMBERS.put(Call.READ_ZERO_COPY, FIRST + CALLS.indexOf(Call.READ));
        NUMBERS.put(Call.OPEN_FILE, FIRST + CALLS.indexOf(Call.OPEN));
        NUMBERS.put(Call.CREATE_FILE, FIRST + CALLS.indexOf(Call.CREATE));
        NUMBERS.put(Call.APPEND_FILE, FIRST + CALLS.indexOf(Call.APPEND));
        NUMBERS.put(Call.HSYNC, FIRST + CALLS.indexOf(Call.HFLUSH));
    }

    private HtfsCsvCalls() {}

    static Optional<Integer> number(Call call) {
        return Optional.ofNullable(NUMBERS.get(call));
    }

    static Optional<Call> call(int number) {
        return Optional.ofNullable(BY_NUMBER.get(number));
    }
}

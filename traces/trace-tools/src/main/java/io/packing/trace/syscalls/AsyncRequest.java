// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.util.ArrayList;
import java.util.List;

/** A request of io_submit, as strace prints it. */
record AsyncRequest(String operation, int descriptor, DescriptorName name, long length, long offset) {
    private static final String READ = "IOCB_CMD_PREAD";
    private static final String WRITE = "IOCB_CMD_PWRITE";

    /** Parses the requests of an array, without those that strace does not spell out. */
    static List<AsyncRequest> of(String array) {
        List<AsyncRequest> requests = new ArrayList<>();
        if (!array.startsWith("[{")) {
            return requests;
        }
        List<String> parts = new ArrayList<>();
        StraceText.split(array.substring(1, array.length() - 1) + ")", 0, parts);
        for (String part : parts) {
            Arguments one = new Arguments(List.of(part));
            String file = one.field(0, "aio_fildes").orElse("");
            if (file.isEmpty()) {
                continue;
            }
            int bracket = file.indexOf('<');
            requests.add(new AsyncRequest(
                    one.field(0, "aio_lio_opcode").orElse(""),
                    (int) StraceNumbers.leading(file, -1),
                    bracket < 0 ? DescriptorName.UNKNOWN : DescriptorName.behind(file, bracket),
                    one.field(0, "aio_nbytes")
                            .map(text -> StraceNumbers.leading(text, -1))
                            .orElse(-1L),
                    one.field(0, "aio_offset")
                            .map(text -> StraceNumbers.leading(text, -1))
                            .orElse(-1L)));
        }
        return requests;
    }

    boolean reads() {
        return operation.equals(READ);
    }

    boolean movesBytes() {
        return operation.startsWith(READ) || operation.startsWith(WRITE);
    }

    /** Returns whether strace prints the request's range, which it does not for a vector of buffers. */
    boolean saysWhere() {
        return (operation.equals(READ) || operation.equals(WRITE)) && length >= 0 && offset >= 0;
    }
}

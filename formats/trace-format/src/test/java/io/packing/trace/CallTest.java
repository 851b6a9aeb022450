// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CallTest {
    @Test
    void idsAndLabelsAreUnique() {
        assertThat(Arrays.stream(Call.values()).map(Call::id))
                .doesNotHaveDuplicates()
                .allMatch(id -> id >= 0);
        assertThat(Arrays.stream(Call.values()).map(Call::label)).doesNotHaveDuplicates();
    }

    @Test
    void everyCallIsFoundByItsIdAndItsLabel() {
        for (Call call : Call.values()) {
            assertThat(Call.ofId(call.id())).isEqualTo(call);
            assertThat(Call.ofLabel(call.label())).contains(call);
        }
    }

    @Test
    void anIdOfANewerTracerIsUnknown() {
        assertThat(Call.ofId(255)).isEqualTo(Call.UNKNOWN);
    }

    @Test
    void callsOfVersion1FitAByteAndSystemCallsDoNot() {
        for (Call call : Call.values()) {
            boolean hdfs = call.subject() != Subject.SYSTEM && !call.isNote();
            assertThat(call.id() < 256).as(call.label()).isEqualTo(hdfs);
            assertThat(call.label().startsWith("sys_")).as(call.label()).isEqualTo(call.subject() == Subject.SYSTEM);
        }
    }

    @Test
    void onlyReadsAndWritesMoveBytes() {
        assertThat(Arrays.stream(Call.values()).filter(Call::reads).map(Call::label))
                .containsExactly(
                        "read",
                        "readByteBuffer",
                        "pread",
                        "preadFully",
                        "preadByteBuffer",
                        "preadFullyByteBuffer",
                        "readVectored",
                        "readZeroCopy",
                        "sys_read",
                        "sys_pread64",
                        "sys_readv",
                        "sys_preadv",
                        "sys_preadv2",
                        "sys_aio_read",
                        "sys_sendfile",
                        "sys_copy_file_range",
                        "sys_splice");
        assertThat(Arrays.stream(Call.values()).filter(Call::writes))
                .containsExactly(
                        Call.WRITE,
                        Call.SYS_WRITE,
                        Call.SYS_PWRITE64,
                        Call.SYS_WRITEV,
                        Call.SYS_PWRITEV,
                        Call.SYS_PWRITEV2,
                        Call.SYS_AIO_WRITE,
                        Call.SYS_SENDFILE_TO,
                        Call.SYS_COPY_FILE_RANGE_TO,
                        Call.SYS_SPLICE_TO);
    }
}

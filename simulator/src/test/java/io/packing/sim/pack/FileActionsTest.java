// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The actions on files that calls stand for. */
final class FileActionsTest {
    private final List<String> actions = new ArrayList<>();
    private final PreparedFiles prepared = new PreparedFiles();

    private void play(TraceEventBuilder... events) {
        FileActions.Target told = new FileActions.Target() {
            @Override
            public void write(String host, String path, long size) {
                actions.add("write %s %d".formatted(path, size));
            }

            @Override
            public void read(String host, String path, long offset, long length) {
                actions.add("read %s %d+%d".formatted(path, offset, length));
            }

            @Override
            public void rename(String from, String to) {
                actions.add("rename %s %s".formatted(from, to));
            }

            @Override
            public void delete(String path) {
                actions.add("delete " + path);
            }

            @Override
            public void makeDirectory(String path) {
                actions.add("mkdir " + path);
            }
        };
        FileActions all = new FileActions(told);
        FileActions needed = new FileActions(prepared);
        for (TraceEventBuilder event : events) {
            TraceEvent built = event.build();
            all.take(built);
            needed.take(built);
        }
    }

    private static TraceEventBuilder event(Call call, String path) {
        return new TraceEventBuilder(call).path(path);
    }

    private static TraceEventBuilder moved(Call call, String path, long offset, long bytes) {
        return event(call, path).range(offset, bytes).result(bytes);
    }

    @Test
    void aFileOfSystemCallsIsWrittenWithItsLastLengthAtItsLastClose() {
        play(
                event(Call.SYS_OPENAT, "/d/new").hint("flags=O_WRONLY|O_CREAT"),
                moved(Call.SYS_PWRITE64, "/d/new", 0, 10),
                moved(Call.SYS_PWRITE64, "/d/new", 90, 10),
                event(Call.SYS_CLOSE, "/d/new").hint("shared=true"),
                moved(Call.SYS_PWRITE64, "/d/new", 0, 50),
                event(Call.SYS_CLOSE, "/d/new"),
                event(Call.SYS_CLOSE, "/d/new"));
        assertThat(actions).containsExactly("write /d/new 100");
    }

    @Test
    void aFileThatIsChangedInPartKeepsItsLengthAndASyncWritesIt() {
        play(
                event(Call.SYS_NEWFSTATAT, "/db").fileSize(1_000),
                event(Call.SYS_OPENAT, "/db").hint("flags=O_RDWR"),
                moved(Call.SYS_PWRITE64, "/db", 0, 10),
                event(Call.SYS_FSYNC, "/db"),
                event(Call.SYS_FSYNC, "/db"),
                moved(Call.SYS_PWRITE64, "/db", 1_000, 5),
                event(Call.CLOSED, "/db"));
        assertThat(actions).containsExactly("write /db 1000", "write /db 1005");
    }

    @Test
    void anEmptiedFileIsWrittenAndOneThatIsOnlyOpenedIsNot() {
        play(
                event(Call.SYS_OPENAT, "/log").hint("flags=O_WRONLY|O_TRUNC"),
                event(Call.SYS_CLOSE, "/log"),
                event(Call.SYS_NEWFSTATAT, "/other").fileSize(7),
                event(Call.SYS_OPENAT, "/other").hint("flags=O_RDWR|O_CREAT"),
                event(Call.SYS_CLOSE, "/other"),
                event(Call.SYS_TRUNCATE, "/other").fileSize(3));
        assertThat(actions).containsExactly("write /log 0", "write /other 3");
    }

    @Test
    void failedCallsDevicesAndListingsAreNoActions() {
        play(
                moved(Call.SYS_READ, "/dev/urandom", 0, 10),
                moved(Call.SYS_GETDENTS64, "/d", 0, 10),
                event(Call.SYS_UNLINK, "/gone").error("ENOENT"),
                event(Call.RENAME, "/a").target("/b").result(0),
                event(Call.SYS_RENAMEAT2, "/a").target("/b").result(0),
                event(Call.SYS_MKDIRAT, "/m"));
        assertThat(actions).containsExactly("rename /a /b", "mkdir /m");
    }

    @Test
    void filesThatAreReadAndNotWrittenArePreparedByTheNameAtTheStart() {
        play(
                moved(Call.SYS_PREAD64, "/old", 100, 10),
                moved(Call.SYS_PREAD64, "/old", 0, 10),
                event(Call.SYS_RENAME, "/old").target("/newer"),
                moved(Call.SYS_PREAD64, "/newer", 200, 10),
                moved(Call.WRITE, "/made", 0, 10),
                event(Call.CLOSE_OUTPUT, "/made"),
                event(Call.RENAME, "/made").target("/moved").result(1),
                moved(Call.PREAD, "/moved", 0, 10));
        assertThat(prepared.files()).isEqualTo(Map.of("/old", 210L));
    }
}

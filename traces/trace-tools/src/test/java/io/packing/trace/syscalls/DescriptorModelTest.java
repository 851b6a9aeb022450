// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.TraceEvent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A test of offsets, sizes and paths behind descriptors. The logs do not name the files of descriptors, so the model
 * has to know them.
 */
class DescriptorModelTest {
    private static final String CREATE = "1 1.0 openat(AT_FDCWD, \"/w/f\", O_RDWR|O_CREAT|O_TRUNC, 0600) = 3";

    private static List<Long> offsets(Logs.Read log, String call) {
        return log.all(call).stream().map(TraceEvent::offset).toList();
    }

    @Test
    void copiesOfADescriptorShareItsPosition() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 write(3, \"\"..., 10) = 10",
                "1 1.0 dup(3) = 4",
                "1 1.0 write(4, \"\"..., 5) = 5",
                "1 1.0 fcntl(3, F_DUPFD_CLOEXEC, 10) = 10",
                "1 1.0 write(10, \"\"..., 5) = 5",
                "1 1.0 dup2(10, 7) = 7",
                "1 1.0 close(3) = 0",
                "1 1.0 close(10) = 0",
                "1 1.0 write(7, \"\"..., 1) = 1",
                "1 1.0 lseek(4, -1, SEEK_CUR) = 20",
                "1 1.0 write(7, \"\"..., 1) = 1");
        assertThat(offsets(log, "sys_write")).containsExactly(0L, 10L, 15L, 20L, 20L);
        assertThat(log.all("sys_write")).extracting(TraceEvent::stream).containsOnly(log.only("sys_openat").stream());
        assertThat(log.all("sys_close")).extracting(TraceEvent::hints).containsOnly("shared=true");
    }

    @Test
    void aForkedChildSharesPositionsAndHasDescriptorsOfItsOwn() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 fork() = 2",
                "2 1.0 write(3, \"\"..., 10) = 10",
                "2 1.0 close(3) = 0",
                "1 1.0 write(3, \"\"..., 10) = 10",
                "2 1.0 openat(AT_FDCWD, \"/w/g\", O_RDONLY) = 3",
                "2 1.0 read(3, \"\"..., 10) = 4",
                "1 1.0 write(3, \"\"..., 10) = 10");
        assertThat(offsets(log, "sys_write")).containsExactly(0L, 10L, 20L);
        assertThat(log.only("sys_read").path()).isEqualTo("/w/g");
        assertThat(log.all("sys_write")).extracting(e -> e.origin().pid()).containsExactly(2L, 1L, 1L);
    }

    @Test
    void cloneFlagsDecideWhatIsShared() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 chdir(\"/w\") = 0",
                "1 1.0 clone3({flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD, exit_signal=0} => {parent_tid=[2]}, 88) = 2",
                "1 1.0 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0x7f) = 3",
                "2 1.0 chdir(\"/v\") = 0",
                "2 1.0 openat(AT_FDCWD, \"t\", O_RDONLY) = 4",
                "1 1.0 read(4, \"\"..., 10) = 4",
                "1 1.0 unlink(\"u\") = 0",
                "3 1.0 unlink(\"u\") = 0",
                "3 1.0 read(4, \"\"..., 10) = -1 EBADF (Bad file descriptor)");
        assertThat(log.only("sys_read").path()).isEqualTo("/v/t");
        assertThat(log.all("sys_unlink")).extracting(TraceEvent::path).containsExactly("/v/u", "/w/u");
        assertThat(log.all("sys_openat").get(1).thread()).isEqualTo("2");
        assertThat(log.all("sys_openat").get(1).origin().pid()).isEqualTo(1);
        assertThat(log.all("sys_unlink").get(1).origin().pid()).isEqualTo(3);
    }

    @Test
    void executionClosesWhatIsToBeClosedAndKeepsTheRest() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 openat(AT_FDCWD, \"/w/g\", O_RDONLY|O_CLOEXEC) = 4",
                "1 1.0 openat(AT_FDCWD, \"/w/h\", O_RDONLY) = 5",
                "1 1.0 fcntl(5, F_SETFD, FD_CLOEXEC) = 0",
                "1 1.0 write(3, \"\"..., 10) = 10",
                "1 1.0 execve(\"/bin/tool\", [\"tool\"], 0x7f /* 3 vars */) = 0",
                "1 1.0 write(3, \"\"..., 10) = 10",
                "1 1.0 read(4, \"\"..., 10) = 10");
        assertThat(offsets(log, "sys_write")).containsExactly(0L, 10L);
        assertThat(log.all("closed")).extracting(TraceEvent::path).containsExactly("/w/g", "/w/h");
        assertThat(log.all("sys_read")).isEmpty();
        assertThat(log.all("sys_write").get(1).origin().process()).isEqualTo("tool");
    }

    @Test
    void aThreadThatExecutesTakesItsLeadersPlace() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 clone(child_stack=0x7f, flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_THREAD) = 2",
                "2 1.0 execve(\"/bin/tool\", [\"tool\"], 0x7f /* 3 vars */ <unfinished ...>",
                "1 1.0 +++ superseded by execve in pid 2 +++",
                "1 1.0 <... execve resumed>) = 0",
                "1 1.0 write(3, \"\"..., 10) = 10");
        assertThat(log.only("sys_write").path()).isEqualTo("/w/f");
        assertThat(log.only("sys_write").origin().process()).isEqualTo("tool");
        assertThat(log.unseen()).isEmpty();
    }

    @Test
    void aChildThatRunsBeforeItsCloneReturnsIsItsParentsChild() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 vfork( <unfinished ...>",
                "2 1.0 write(3, \"\"..., 10) = 10",
                "2 1.0 execve(\"/bin/tool\", [\"tool\"], 0x7f /* 3 vars */) = 0",
                "1 1.0 <... vfork resumed>) = 2",
                "1 1.0 write(3, \"\"..., 10) = 10");
        assertThat(offsets(log, "sys_write")).containsExactly(0L, 10L);
        assertThat(log.irregular()).isEmpty();
        assertThat(log.all("sys_write").get(1).origin().process()).isEmpty();
    }

    @Test
    void childrenOfTwoClonesAtOnceWaitUntilTheirsReturns() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 fork() = 2",
                "2 1.0 openat(AT_FDCWD, \"/w/only-of-2\", O_RDONLY) = 4",
                "1 1.0 fork( <unfinished ...>",
                "2 1.0 fork( <unfinished ...>",
                "9 1.0 read(4, \"\"..., 7) = 7",
                "9 1.0 +++ exited with 0 +++",
                "1 1.0 <... fork resumed>) = 8",
                "2 1.0 <... fork resumed>) = 9");
        assertThat(log.only("sys_read").path()).isEqualTo("/w/only-of-2");
        assertThat(log.only("sys_read").origin().pid()).isEqualTo(9);
        assertThat(log.irregular()).isEmpty();
    }

    @Test
    void aProcessIdThatIsUsedAgainIsAnotherProcess() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 fork() = 2",
                "2 1.0 openat(AT_FDCWD, \"/w/old\", O_RDONLY) = 4",
                "2 1.0 +++ exited with 0 +++",
                "1 1.0 openat(AT_FDCWD, \"/w/new\", O_RDONLY) = 4",
                "1 1.0 fork() = 2",
                "2 1.0 read(4, \"\"..., 7) = 7",
                "1 1.0 fork() = 2");
        assertThat(log.only("sys_read").path()).isEqualTo("/w/new");
        assertThat(log.irregular()).containsEntry(Irregularity.REUSED_PID, 1L);
    }

    @Test
    void appendedBytesGoToTheEndWhoeverMovedIt() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 write(3, \"\"..., 10) = 10",
                "1 1.0 openat(AT_FDCWD, \"/w/f\", O_WRONLY|O_APPEND) = 4",
                "1 1.0 write(4, \"\"..., 5) = 5",
                "1 1.0 write(3, \"\"..., 20) = 20",
                "1 1.0 write(4, \"\"..., 5) = 5",
                "1 1.0 fcntl(3, F_SETFL, O_RDWR|O_APPEND) = 0",
                "1 1.0 write(3, \"\"..., 1) = 1",
                "1 1.0 ftruncate(3, 4) = 0",
                "1 1.0 write(4, \"\"..., 1) = 1");
        assertThat(offsets(log, "sys_write")).containsExactly(0L, 10L, 10L, 30L, 35L, 4L);
        assertThat(log.all("sys_write").get(5).fileSize()).isEqualTo(5);
    }

    @Test
    void anAppendToAFileOfUnknownSizeHasNoOffset() {
        Logs.Read log = Logs.read(
                "1 1.0 openat(AT_FDCWD, \"/w/f\", O_WRONLY|O_APPEND) = 4",
                "1 1.0 write(4, \"\"..., 5) = 5",
                "1 1.0 fstat(4, {st_mode=S_IFREG|0644, st_size=105, ...}) = 0",
                "1 1.0 write(4, \"\"..., 5) = 5");
        assertThat(offsets(log, "sys_write")).containsExactly(TraceEvent.NONE, 105L);
        assertThat(log.all("sys_write").get(0).result()).isEqualTo(5);
    }

    @Test
    void placedCallsDoNotMoveThePositionAndVectorsAddUp() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 pwrite64(3, \"\"..., 8, 100) = 8",
                "1 1.0 writev(3, [{iov_base=\"\"..., iov_len=3}, {iov_base=\"\"..., iov_len=4}], 2) = 7",
                "1 1.0 pwritev2(3, [{iov_base=\"\"..., iov_len=3}], 1, -1, 0) = 3",
                "1 1.0 preadv(3, [...], 2, 50) = 9",
                "1 1.0 read(3, \"\"..., 200) = 98");
        assertThat(log.calls().stream().skip(1).map(TraceEvent::offset)).containsExactly(100L, 0L, 7L, 50L, 10L);
        assertThat(log.calls().stream().skip(1).map(TraceEvent::length)).containsExactly(8L, 7L, 3L, -1L, 200L);
        assertThat(log.calls()).extracting(TraceEvent::fileSize).last().isEqualTo(108L);
    }

    @Test
    void aCallBetweenTwoFilesIsTwoEvents() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 openat(AT_FDCWD, \"/w/g\", O_RDWR|O_CREAT|O_TRUNC, 0600) = 4",
                "1 1.0 write(3, \"\"..., 100) = 100",
                "1 1.0 lseek(3, 0, SEEK_SET) = 0",
                "1 1.0 copy_file_range(3, NULL, 4, NULL, 30, 0) = 30",
                "1 1.0 sendfile(4, 3, NULL, 20) = 20",
                "1 1.0 sendfile(4, 3, [7] => [12], 5) = 5",
                "1 1.0 copy_file_range(3, [90], 4, [200], 50, 0) = 10",
                "1 1.0 splice(3, NULL, 5<pipe:[1]>, NULL, 5, 0) = 5");
        assertThat(offsets(log, "sys_copy_file_range")).containsExactly(0L, 90L);
        assertThat(offsets(log, "sys_copy_file_range_to")).containsExactly(0L, 200L);
        assertThat(offsets(log, "sys_sendfile")).containsExactly(30L, 7L);
        assertThat(offsets(log, "sys_sendfile_to")).containsExactly(30L, 50L);
        assertThat(log.only("sys_splice").offset()).isEqualTo(50);
        assertThat(log.all("sys_splice_to")).isEmpty();
        assertThat(log.only("elsewhere").hints()).isEqualTo("direction=write kind=pipe");
        assertThat(log.all("sys_copy_file_range_to").get(1).fileSize()).isEqualTo(210);
    }

    @Test
    void renamesTakeFilesOpenFilesAndWhatIsBelowAlong() {
        Logs.Read log = Logs.read(
                "1 1.0 mkdir(\"/w/d\", 0700) = 0",
                "1 1.0 openat(AT_FDCWD, \"/w/d/f\", O_WRONLY|O_CREAT|O_TRUNC, 0600) = 3",
                "1 1.0 write(3, \"\"..., 10) = 10",
                "1 1.0 rename(\"/w/d\", \"/w/e\") = 0",
                "1 1.0 write(3, \"\"..., 10) = 10",
                "1 1.0 openat(AT_FDCWD, \"/w/e/f\", O_RDONLY) = 4",
                "1 1.0 link(\"/w/e/f\", \"/w/g\") = 0",
                "1 1.0 unlink(\"/w/e/f\") = 0",
                "1 1.0 write(3, \"\"..., 10) = 10",
                "1 1.0 openat(AT_FDCWD, \"/w/g\", O_RDONLY) = 5",
                "1 1.0 openat(AT_FDCWD, \"/w/e/f\", O_WRONLY|O_CREAT, 0600) = 6");
        assertThat(log.all("sys_write")).extracting(TraceEvent::path).containsExactly("/w/d/f", "/w/e/f", "/w/e/f");
        assertThat(log.all("sys_openat")).extracting(TraceEvent::fileSize).containsExactly(0L, 20L, 30L, 0L);
        assertThat(log.all("sys_openat").get(3).hints()).contains("created=true");
    }

    @Test
    void descriptorsThatCloseTogetherAreClosed() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 openat(AT_FDCWD, \"/w/g\", O_RDONLY) = 4",
                "1 1.0 openat(AT_FDCWD, \"/w/h\", O_RDONLY) = 5",
                "1 1.0 close_range(4, 4294967295, 0) = 0",
                "1 1.0 read(5, \"\"..., 1) = -1 EBADF (Bad file descriptor)");
        assertThat(log.all("closed")).extracting(TraceEvent::path).containsExactly("/w/g", "/w/h");
        assertThat(log.all("sys_read")).isEmpty();
    }

    @Test
    void aNumberThatIsGivenAgainBeforeItsCloseReturnsIsTheNewFiles() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 clone(child_stack=0x7f, flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_THREAD) = 2",
                "1 1.0 close(3 <unfinished ...>",
                "2 1.0 openat(AT_FDCWD, \"/w/g\", O_RDWR|O_CREAT|O_TRUNC, 0600) = 3",
                "2 1.0 write(3, \"\"..., 10) = 10",
                "1 1.0 <... close resumed>) = 0",
                "2 1.0 write(3, \"\"..., 10) = 10",
                "2 1.0 close(3) = 0");
        assertThat(log.all("sys_close")).extracting(TraceEvent::path).containsExactly("/w/f", "/w/g");
        assertThat(log.all("sys_close")).extracting(TraceEvent::hints).containsOnly("");
        assertThat(offsets(log, "sys_write")).containsExactly(0L, 10L);
    }

    @Test
    void mappingsAreNotedAndSyncsOfMemoryFindTheirFile() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 ftruncate(3, 65536) = 0",
                "1 1.0 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_SHARED, 3, 0x1000) = 0x7f0000001000",
                "1 1.0 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f0000009000",
                "1 1.0 msync(0x7f0000002000, 4096, MS_SYNC) = 0",
                "1 1.0 madvise(0x7f0000009000, 4096, MADV_DONTNEED) = 0");
        assertThat(log.only("sys_mmap").offset()).isEqualTo(4096);
        assertThat(log.only("sys_msync").path()).isEqualTo("/w/f");
        assertThat(log.only("sys_msync").offset()).isEqualTo(8192);
        assertThat(log.all("sys_madvise")).isEmpty();
        assertThat(log.unseen()).isEqualTo(Map.of(UnrecordedReason.MAPPED_WRITE, 1L));
    }

    @Test
    void ringsAreCountedAndAsynchronousRequestsReadOut() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 io_uring_enter(5, 8, 0, 0, NULL, 8) = 8",
                "1 1.0 io_submit(0x7f, 2, [{aio_data=0, aio_lio_opcode=IOCB_CMD_PWRITE, aio_fildes=3, aio_buf=\"\"..., aio_nbytes=512, aio_offset=1024}, {aio_data=0, aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=3, aio_buf=0x7f, aio_nbytes=100, aio_offset=1500}]) = 2",
                "1 1.0 io_submit(0x7f, 3, 0x7f) = 3");
        assertThat(log.only("sys_aio_write").fileSize()).isEqualTo(1536);
        assertThat(log.only("sys_aio_read").result()).isEqualTo(36);
        assertThat(log.unseen()).isEqualTo(Map.of(UnrecordedReason.IO_URING, 8L, UnrecordedReason.AIO, 3L));
    }

    @Test
    void theBackendIsBelievedWhereItContradictsTheTable() {
        Logs.Read log = Logs.read(
                CREATE,
                "1 1.0 read(3<socket:[9]>, \"\"..., 10) = 10",
                "1 1.0 read(4</w/passed>, \"\"..., 10) = 10",
                "1 1.0 read(4</w/passed>, \"\"..., 10) = 10",
                "1 1.0 lseek(4</w/passed>, 0, SEEK_SET) = 0",
                "1 1.0 read(4</w/passed>, \"\"..., 10) = 10");
        assertThat(offsets(log, "sys_read")).containsExactly(TraceEvent.NONE, TraceEvent.NONE, 0L);
        assertThat(log.only("elsewhere").hints()).isEqualTo("direction=read kind=socket");
    }

    @Test
    void aFileThatWasNotThereIsEmptyWhenItIsMade() {
        Logs.Read log = Logs.read(
                "1 1.0 access(\"/w/db\", F_OK) = -1 ENOENT (No such file or directory)",
                "1 1.0 openat(AT_FDCWD, \"/w/db\", O_RDWR|O_CREAT, 0644) = 3",
                "1 1.0 openat(AT_FDCWD, \"/w/other\", O_RDWR|O_CREAT, 0644) = 4",
                "1 1.0 openat(AT_FDCWD, \"/w/new\", O_RDWR|O_CREAT|O_EXCL, 0644) = 5");
        assertThat(log.all("sys_openat")).extracting(TraceEvent::fileSize).containsExactly(0L, TraceEvent.NONE, 0L);
    }

    @Test
    void theKernelsNameOfADirectoryIsLearnt() {
        Logs.Read log = Logs.read(
                "1 1.0 openat(AT_FDCWD</>, \"/link/f\", O_RDWR|O_CREAT|O_TRUNC, 0600) = 3</real/f>",
                "1 1.0 write(3</real/f>, \"\"..., 10) = 10",
                "1 1.0 rename(\"/link/f\", \"/link/g\") = 0",
                "1 1.0 openat(AT_FDCWD</>, \"/link/g\", O_RDONLY) = 4</real/g>");
        assertThat(log.only("sys_rename").target()).isEqualTo("/real/g");
        assertThat(log.all("sys_openat").get(1).fileSize()).isEqualTo(10);
    }
}

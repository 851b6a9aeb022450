// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import io.packing.bdt.Operation;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingFileSystem;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.ToolRunner;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class PackingHadoopFileSystemTest {
    @TempDir
    private java.nio.file.Path temp;

    private LocalMount local;
    private PackingFileSystem mount;
    private Configuration configuration;
    private FileSystem files;

    @BeforeEach
    void start() throws IOException {
        local = LocalMount.start(temp, "1h");
        mount = local.mount();
        configuration = local.configure(new Configuration(false));
        files = FileSystem.newInstance(local.uri(), configuration);
    }

    @AfterEach
    void stop() throws IOException {
        files.close();
        local.close();
    }

    private String root() {
        return local.uri().toString();
    }

    private static byte[] content(int number) {
        byte[] content = new byte[1_000 + number];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (i * 31 + number);
        }
        return content;
    }

    private void write(String path, byte[] content) throws IOException {
        try (FSDataOutputStream output = files.create(new Path(path), false)) {
            output.write(content);
        }
    }

    @Test
    void aFileIsReadAndSoughtWhileBufferedAndWhenPacked() throws IOException {
        write("/a/b/file", content(7));
        for (int round = 0; round < 2; round++) {
            try (FSDataInputStream input = files.open(new Path("/a/b/file"))) {
                assertThat(input.readAllBytes()).isEqualTo(content(7));
                input.seek(500);
                assertThat(input.read()).isEqualTo(content(7)[500] & 0xff);
                byte[] part = new byte[10];
                input.readFully(3, part);
                assertThat(part).isEqualTo(Arrays.copyOfRange(content(7), 3, 13));
                assertThat(input.getPos()).isEqualTo(501);
                assertThatThrownBy(() -> input.seek(2_000)).isInstanceOf(EOFException.class);
                assertThatThrownBy(() -> input.seek(-1)).isInstanceOf(EOFException.class);
            }
            mount.flush();
        }
        assertThatThrownBy(() -> files.open(new Path("/a/b"))).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void aDirectoryOfAnyNumberOfPagesIsListedCompletelyInOrder() throws IOException {
        files.mkdirs(new Path("/many"));
        for (int i = 0; i < 2_001; i++) {
            int count = i;
            if (i % 1_000 <= 1) {
                assertThat(names(files.listStatusIterator(new Path("/many"))))
                        .containsExactlyElementsOf(IntStream.range(0, count)
                                .mapToObj("d%04d"::formatted)
                                .toList());
                assertThat(files.listStatus(new Path("/many"))).hasSize(count);
            }
            files.mkdirs(new Path("/many/d%04d".formatted(i)));
        }
        assertThat(files.listStatus(new Path("/many"))[1_000].getPath()).isEqualTo(new Path(root() + "many/d1000"));
    }

    private static List<String> names(RemoteIterator<FileStatus> entries) throws IOException {
        List<String> names = new ArrayList<>();
        while (entries.hasNext()) {
            names.add(entries.next().getPath().getName());
        }
        return names;
    }

    @Test
    void renamesAndDeletesAnswerAsHadoopsContractSays() throws IOException {
        write("/d/one", content(1));
        write("/d/two", content(2));
        files.mkdirs(new Path("/e"));
        assertThat(files.rename(new Path("/d/none"), new Path("/e"))).isFalse();
        assertThat(files.rename(new Path("/d/one"), new Path("/d/two"))).isFalse();
        assertThat(files.rename(new Path("/d"), new Path("/d/below"))).isFalse();
        assertThat(files.rename(new Path("/d/one"), new Path("/missing/one"))).isFalse();
        assertThat(files.rename(new Path("/d"), new Path("/e"))).isTrue();
        assertThat(files.getFileStatus(new Path("/e/d/one")).getLen()).isEqualTo(1_001);
        assertThatThrownBy(() -> files.delete(new Path("/e"), false))
                .isInstanceOf(PathIsNotEmptyDirectoryException.class);
        assertThat(files.delete(new Path("/e"), true)).isTrue();
        assertThat(files.delete(new Path("/e"), true)).isFalse();
    }

    @Test
    void whatIsInTheWayOfANewFileIsSaidAtOnce() throws IOException {
        write("/f", content(1));
        assertThatThrownBy(() -> files.create(new Path("/f"), false)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> files.create(new Path("/f/below"), false))
                .isInstanceOf(ParentNotDirectoryException.class);
        assertThatThrownBy(() -> files.create(new Path("/f/below/that"), true))
                .isInstanceOf(ParentNotDirectoryException.class)
                .hasMessageContaining("/f is a file");
        assertThatThrownBy(() -> files.create(new Path("/"), true)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> nonRecursive("/none/g")).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> nonRecursive("/f/g")).isInstanceOf(ParentNotDirectoryException.class);
        nonRecursive("/g").close();
        assertThatThrownBy(() -> nonRecursive("/g")).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> files.mkdirs(new Path("/f"))).isInstanceOf(FileAlreadyExistsException.class);
        try (FSDataOutputStream output = files.create(new Path("/f"), true)) {
            output.write(content(9));
        }
        assertThat(files.getFileStatus(new Path("/f")).getLen()).isEqualTo(1_009);
    }

    @Test
    void ownerAndPermissionAreKept() throws IOException {
        write("/f", content(1));
        files.setPermission(new Path("/f"), new FsPermission((short) 0600));
        files.setOwner(new Path("/f"), "alice", null);
        FileStatus status = files.getFileStatus(new Path("/f"));
        assertThat(status.getPermission().toShort()).isEqualTo((short) 0600);
        assertThat(status.getOwner()).isEqualTo("alice");
    }

    @Test
    void filesGrowShrinkAndBecomeOneWithoutACopy() throws IOException {
        write("/f", content(1));
        write("/g", content(2));
        try (FSDataOutputStream output = files.append(new Path("/f"))) {
            output.write(content(3));
        }
        assertThat(read("/f")).isEqualTo(Bytes.concat(content(1), content(3)));
        mount.flush();
        files.concat(new Path("/f"), new Path[] {new Path("/g")});
        assertThat(read("/f")).isEqualTo(Bytes.concat(content(1), content(3), content(2)));
        assertThat(files.exists(new Path("/g"))).isFalse();
        assertThat(files.truncate(new Path("/f"), content(1).length)).isTrue();
        assertThat(read("/f")).isEqualTo(content(1));
        assertThat(files.listStatus(new Path("/"))).hasSize(1);
        assertThat(mount.bdt().list(FilePath.SCRATCH, "", 10))
                .hasValueSatisfying(left -> assertThat(left).isEmpty());
    }

    /** An append goes on with it: see above. */
    @Test
    void whatTheSystemKeepsIsRefusedToUsers() throws IOException {
        write("/f", content(1));
        files.append(new Path("/f")).close();
        files.mkdirs(new Path("/d/.reserved"));
        Path scratch = new Path("/.reserved/scratch");
        Path below = new Path(scratch, "x");
        Path file = new Path("/f");
        refused(() -> files.create(below, true));
        refused(() -> files.createNonRecursive(below, true, 1, (short) 1, 1, null));
        refused(() -> files.append(below));
        refused(() -> files.open(below));
        refused(() -> files.mkdirs(below));
        refused(() -> files.mkdirs(new Path("/.reserved")));
        refused(() -> files.rename(file, below));
        refused(() -> files.rename(scratch, new Path("/stolen")));
        refused(() -> files.delete(new Path("/.reserved"), true));
        refused(() -> files.listStatus(scratch));
        refused(() -> files.getFileStatus(scratch));
        refused(() -> files.truncate(below, 0));
        refused(() -> files.concat(file, new Path[] {below}));
        refused(() -> files.setPermission(scratch, FsPermission.getDefault()));
        refused(() -> files.setTimes(scratch, 1, -1));
        refused(() -> files.create(new Path("/a//../.reserved/x"), true));
        // Into the root a directory goes by its name.
        refused(() -> files.rename(new Path("/d/.reserved"), new Path("/")));
        List<Operation> merge = List.of(new Operation.MergeDirectory(new FilePath("/d"), FilePath.ROOT));
        assertThatThrownBy(() -> ((PackingHadoopFileSystem) files).apply(new Path("/"), merge))
                .isInstanceOf(PathIOException.class)
                .hasMessageContaining("/.reserved");
        assertThat(files.mkdirs(new Path("/.reserved-not"))).isTrue();
        assertThat(files.exists(new Path("/d/.reserved"))).isTrue();
        assertThat(read("/f")).isEqualTo(content(1));
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(AccessControlException.class)
                .hasMessageContaining("/.reserved and what is below it is the system's own; use another path");
    }

    @Test
    void whatCannotBeConcatenatedOrTruncatedChangesNothing() throws IOException {
        write("/f", content(1));
        Path file = new Path("/f");
        FileStatus before = files.getFileStatus(file);
        assertThatThrownBy(() -> files.concat(file, new Path[] {file})).isInstanceOf(PathIOException.class);
        assertThatThrownBy(() -> files.concat(file, new Path[] {})).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> files.concat(file, new Path[] {new Path("/none")}))
                .isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.truncate(file, content(1).length + 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(files.getFileStatus(file)).isEqualTo(before);
        assertThat(files.getFileStatus(file).getModificationTime()).isEqualTo(before.getModificationTime());
    }

    @Test
    void timesThatAreSetAreKept() throws IOException {
        write("/d/f", content(1));
        for (Path path : List.of(new Path("/d/f"), new Path("/d"))) {
            files.setTimes(path, 1_234_567_890_123L, 5);
            files.setTimes(path, -1, 7);
            assertThat(files.getFileStatus(path).getModificationTime()).isEqualTo(1_234_567_890_123L);
        }
        mount.flush();
        assertThat(files.getFileStatus(new Path("/d/f")).getModificationTime()).isEqualTo(1_234_567_890_123L);
        for (long mtime : new long[] {-1, 5}) {
            assertThatThrownBy(() -> files.setTimes(new Path("/none"), mtime, 5))
                    .isInstanceOf(FileNotFoundException.class);
        }
    }

    @Test
    void theLoserOfARaceForANewFileGetsHadoopsException() throws IOException {
        configuration.set("packing.spill.bytes", "1KB");
        try (FileSystem spilling = FileSystem.newInstance(local.uri(), configuration)) {
            for (FileSystem each : List.of(files, spilling)) {
                Path path = new Path("/race-" + (each == files));
                FSDataOutputStream loser = each.create(path, false);
                write(path.toString(), content(1));
                assertThatThrownBy(() -> {
                            loser.write(content(9_000));
                            loser.close();
                        })
                        .isInstanceOf(FileAlreadyExistsException.class)
                        .hasMessageContaining(path.toString());
                assertThat(files.getFileStatus(path).getLen()).isEqualTo(1_001);
            }
        }
    }

    @Test
    void whatCameInTheWayBetweenCreateAndCloseIsSaidInHadoopsExceptions() throws IOException {
        files.mkdirs(new Path("/d"));
        FSDataOutputStream orphan = nonRecursive("/d/f");
        FSDataOutputStream below = files.create(new Path("/e/f"), false);
        FSDataOutputStream overDirectory = files.create(new Path("/g"), true);
        assertThat(files.delete(new Path("/d"), true)).isTrue();
        write("/e", content(1));
        files.mkdirs(new Path("/g"));
        assertThatThrownBy(orphan::close).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(below::close).isInstanceOf(ParentNotDirectoryException.class);
        assertThatThrownBy(overDirectory::close).isInstanceOf(FileAlreadyExistsException.class);
    }

    private FSDataOutputStream nonRecursive(String path) throws IOException {
        return files.createNonRecursive(
                new Path(path), FsPermission.getFileDefault(), false, 4_096, (short) 1, 1L << 20, null);
    }

    @Test
    void appendToFileMakesANewFileAndAppendsToIt() throws Exception {
        java.nio.file.Path source = Files.write(temp.resolve("source"), content(3));
        String target = root() + "appended";
        assertThat(shell("-appendToFile", source.toString(), target)).isZero();
        assertThat(read("/appended")).isEqualTo(content(3));
        assertThat(shell("-appendToFile", source.toString(), target)).isZero();
        assertThat(read("/appended")).isEqualTo(Bytes.concat(content(3), content(3)));
    }

    @Test
    void appendKeepsOwnerAndModeAndAppendsNothingToAFileThatWasReplaced() throws IOException {
        Path path = new Path("/empty");
        write("/empty", new byte[0]);
        files.setOwner(path, "alice", "staff");
        files.setPermission(path, new FsPermission((short) 0600));
        try (FSDataOutputStream output = files.append(path)) {
            output.write(content(1));
        }
        FileStatus status = files.getFileStatus(path);
        assertThat(status.getOwner()).isEqualTo("alice");
        assertThat(status.getGroup()).isEqualTo("staff");
        assertThat(status.getPermission().toShort()).isEqualTo((short) 0600);
        assertThat(read("/empty")).isEqualTo(content(1));
        try (FSDataOutputStream output = files.append(path)) {
            assertThat(output.getPos()).isEqualTo(content(1).length);
            output.write(1);
            assertThat(output.getPos()).isEqualTo(content(1).length + 1);
        }
        files.truncate(path, content(1).length);

        write("/other", new byte[0]);
        FSDataOutputStream late = files.append(new Path("/other"));
        late.write(content(2));
        try (FSDataOutputStream output = files.create(new Path("/other"), true)) {
            output.write(content(5));
        }
        assertThatThrownBy(late::close).isInstanceOf(IOException.class).hasMessageContaining("nothing was appended");
        assertThat(read("/other")).isEqualTo(content(5));
        assertThatThrownBy(() -> files.append(new Path("/none"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.append(new Path("/"))).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void theRootStaysWithAllThatIsInIt() throws Exception {
        write("/f", content(1));
        assertThat(shell("-rm", "-r", root())).isNotZero();
        assertThat(files.delete(new Path("/"), true)).isFalse();
        assertThat(read("/f")).isEqualTo(content(1));
    }

    private int shell(String... words) throws Exception {
        return ToolRunner.run(configuration, new FsShell(), words);
    }

    private byte[] read(String path) throws IOException {
        try (FSDataInputStream input = files.open(new Path(path))) {
            return input.readAllBytes();
        }
    }

    @Test
    void aFileContextSeesTheSameFiles() throws IOException {
        // This configuration has no defaults, by which the jar would tell.
        configuration.set("fs.AbstractFileSystem.packing.impl", PackingAbstractFileSystem.class.getName());
        FileContext context = FileContext.getFileContext(URI.create(root()), configuration);
        try (FSDataOutputStream output =
                context.create(new Path("/c/file"), EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
            output.write(content(3));
        }
        assertThat(files.getFileStatus(new Path("/c/file")).getLen()).isEqualTo(1_003);
    }

    @Test
    void aMisspeltOptionFailsTheMountWithItsName() {
        configuration.set("packing.treads", "4");
        assertThatThrownBy(() -> FileSystem.newInstance(URI.create(root()), configuration))
                .hasMessageContaining("packing.treads")
                .hasMessageContaining("packing.threads");
    }
}

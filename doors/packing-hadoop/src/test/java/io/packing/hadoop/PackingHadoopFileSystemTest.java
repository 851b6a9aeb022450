package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.worker.PackingFileSystem;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
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
                assertThat(part).isEqualTo(java.util.Arrays.copyOfRange(content(7), 3, 13));
                assertThat(input.getPos()).isEqualTo(501);
                assertThatThrownBy(() -> input.seek(2_000)).isInstanceOf(EOFException.class);
                assertThatThrownBy(() -> input.seek(-1)).isInstanceOf(EOFException.class);
            }
            mount.flush();
        }
        assertThatThrownBy(() -> files.open(new Path("/a/b"))).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void aDirectoryOfMoreThanOnePageIsListedCompletelyInOrder() throws IOException {
        files.mkdirs(new Path("/many"));
        for (int i = 0; i < 1_001; i++) {
            files.mkdirs(new Path("/many/d%04d".formatted(i)));
        }
        FileStatus[] all = files.listStatus(new Path("/many"));
        assertThat(all).hasSize(1_001);
        assertThat(all[1_000].getPath()).isEqualTo(new Path(root() + "many/d1000"));
        RemoteIterator<FileStatus> pages = files.listStatusIterator(new Path("/many"));
        int seen = 0;
        for (; pages.hasNext(); seen++) {
            assertThat(pages.next().isDirectory()).isTrue();
        }
        assertThat(seen).isEqualTo(1_001);
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
    void whatAMountDoesNotDoIsSaidOrChangesNothing() throws IOException {
        write("/f", content(1));
        Path file = new Path("/f");
        FileStatus before = files.getFileStatus(file);
        assertThatThrownBy(() -> files.append(file)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> files.concat(file, new Path[] {file}))
                .isInstanceOf(UnsupportedOperationException.class);
        files.setTimes(file, 1, 1);
        assertThat(files.getFileStatus(file).getModificationTime()).isEqualTo(before.getModificationTime());
    }

    @Test
    void aFileContextSeesTheSameFiles() throws IOException {
        FileContext context = FileContext.getFileContext(URI.create(root()), configuration);
        try (FSDataOutputStream output = context.create(
                new Path("/c/file"), java.util.EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
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

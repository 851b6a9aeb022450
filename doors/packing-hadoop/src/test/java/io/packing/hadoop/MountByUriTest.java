// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job names its mount by a URI: the master tells where the store is. */
class MountByUriTest {
    @TempDir
    Path home;

    private LocalMount mount;
    private final Configuration configuration = new Configuration(false);

    @BeforeEach
    void start() throws IOException {
        mount = LocalMount.start(home, "1h");
        configuration.set("fs.packing.impl", PackingHadoopFileSystem.class.getName());
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    @Test
    void aFileIsWrittenAndReadInBlobsWithoutAStoreInTheConfiguration() throws IOException {
        byte[] bytes = "hello".getBytes(StandardCharsets.UTF_8);
        try (FileSystem files = FileSystem.newInstance(mount.uri(), configuration)) {
            org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(mount.uri() + "a");
            try (FSDataOutputStream out = files.create(path)) {
                out.write(bytes);
            }
            mount.mount().flush();
            byte[] read = new byte[bytes.length];
            try (FSDataInputStream in = files.open(path)) {
                in.readFully(read);
            }
            assertThat(read).isEqualTo(bytes);
        }
    }

    @Test
    void aMountThatTheMasterDoesNotKnowIsNamed() {
        URI other = URI.create("packing://photos@" + mount.uri().getAuthority() + "/");
        assertThatThrownBy(() -> FileSystem.newInstance(other, configuration))
                .hasMessageContaining("knows no mount 'photos'");
    }

    @Test
    void aMountIsNamedOnce() {
        URI named = URI.create("packing://photos@" + mount.uri().getAuthority() + "/");
        configuration.set("packing.store", "file:///x");
        assertThatThrownBy(() -> FileSystem.newInstance(named, configuration))
                .hasMessageContaining("the mount is named twice");
    }
}

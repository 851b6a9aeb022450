// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Extended attributes through Hadoop's API are those of HDFS. */
@Timeout(120)
final class ExtendedAttributesTest {
    private static final Path FILE = new Path("/d/f");
    private static final byte[] ONE = {1};
    private static final byte[] TWO = {2, 2};

    @TempDir
    private java.nio.file.Path temp;

    private LocalMount local;
    private FileSystem files;

    @BeforeEach
    void start() throws IOException {
        local = LocalMount.start(temp, "1h");
        files = FileSystem.newInstance(local.uri(), local.configure(new Configuration()));
        files.create(FILE, true).close();
    }

    @AfterEach
    void stop() throws IOException {
        files.close();
        local.close();
    }

    @Test
    void whatIsSetIsThereUntilItIsRemoved() throws IOException {
        assertThat(files.getXAttrs(FILE)).isEmpty();
        files.setXAttr(FILE, "user.a", ONE);
        files.setXAttr(FILE, "trusted.b", TWO);
        files.setXAttr(FILE, "user.none", null);
        assertThat(files.getXAttr(FILE, "user.a")).isEqualTo(ONE);
        assertThat(files.getXAttr(FILE, "user.none")).isEmpty();
        assertThat(files.listXAttrs(FILE)).containsExactly("trusted.b", "user.a", "user.none");
        assertThat(files.getXAttrs(FILE, List.of("trusted.b"))).containsOnlyKeys("trusted.b");
        Path moved = new Path("/d/g");
        assertThat(files.rename(FILE, moved)).isTrue();
        files.removeXAttr(moved, "user.none");
        Map<String, byte[]> left = files.getXAttrs(moved);
        assertThat(left).containsOnlyKeys("trusted.b", "user.a");
        assertThat(left.get("trusted.b")).isEqualTo(TWO);
        files.setXAttr(moved.getParent(), "user.of.directory", ONE);
        assertThat(files.listXAttrs(moved.getParent())).containsExactly("user.of.directory");
        assertThat(files.hasPathCapability(moved, CommonPathCapabilities.FS_XATTRS))
                .isTrue();
        assertThat(files.hasPathCapability(moved, CommonPathCapabilities.FS_PERMISSIONS))
                .isTrue();
    }

    @Test
    void flagsSayWhetherItMayBeThereBefore() throws IOException {
        EnumSet<XAttrSetFlag> create = EnumSet.of(XAttrSetFlag.CREATE);
        EnumSet<XAttrSetFlag> replace = EnumSet.of(XAttrSetFlag.REPLACE);
        assertThatThrownBy(() -> files.setXAttr(FILE, "user.a", ONE, replace))
                .isInstanceOf(PathIOException.class)
                .hasMessageContaining("does not exist");
        files.setXAttr(FILE, "user.a", ONE, create);
        assertThatThrownBy(() -> files.setXAttr(FILE, "user.a", TWO, create)).hasMessageContaining("already exists");
        files.setXAttr(FILE, "user.a", TWO, replace);
        assertThat(files.getXAttr(FILE, "user.a")).isEqualTo(TWO);
    }

    @Test
    void whatCannotBeIsRefusedAsHdfsDoes() throws IOException {
        assertThatThrownBy(() -> files.setXAttr(FILE, "a", ONE)).isInstanceOf(HadoopIllegalArgumentException.class);
        assertThatThrownBy(() -> files.getXAttr(FILE, "user.a")).hasMessageContaining("was not found");
        assertThatThrownBy(() -> files.removeXAttr(FILE, "user.a")).hasMessageContaining("No matching attributes");
        Path none = new Path("/d/none");
        assertThatThrownBy(() -> files.getXAttrs(none)).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.setXAttr(none, "user.a", ONE)).isInstanceOf(FileNotFoundException.class);
        files.setXAttr(FILE, "user.a", new byte[60_000]);
        files.setXAttr(FILE, "user.b", new byte[60_000]);
        assertThatThrownBy(() -> files.setXAttr(FILE, "user.c", new byte[60_000]))
                .hasMessageContaining("too large");
        Path inside = new Path(files.createSnapshot(FILE.getParent(), "s"), "f");
        assertThat(files.listXAttrs(inside)).containsExactly("user.a", "user.b");
        assertThatThrownBy(() -> files.setXAttr(inside, "user.a", ONE)).isInstanceOf(IOException.class);
    }
}

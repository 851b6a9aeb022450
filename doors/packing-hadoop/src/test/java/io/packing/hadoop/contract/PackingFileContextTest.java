// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.hadoop.LocalMount;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextCreateMkdirBaseTest;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContextPermissionBase;
import org.apache.hadoop.fs.FileContextTestHelper;
import org.apache.hadoop.fs.FileContextURIBase;
import org.apache.hadoop.fs.FileContextUtilBase;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.experimental.runners.Enclosed;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;

/** Hadoop's suites for {@code FileContext}, which reaches a mount through {@code fs.AbstractFileSystem.packing.impl}. */
@RunWith(Enclosed.class)
public class PackingFileContextTest {
    @ClassRule
    public static final TemporaryFolder HOME = new TemporaryFolder();

    private static @Nullable LocalMount running;

    @BeforeClass
    public static void start() throws IOException {
        running = LocalMount.start(HOME.getRoot().toPath(), "100ms");
    }

    @AfterClass
    public static void stop() throws IOException {
        FileSystem.closeAll();
        try (LocalMount mount = running) {
            running = null;
        }
    }

    private static FileContext context() throws IOException {
        LocalMount mount = Objects.requireNonNull(running);
        return FileContext.getFileContext(mount.uri(), mount.configure(new Configuration()));
    }

    public static class MainOperations extends FileContextMainOperationsBaseTest {
        @Override
        public void setUp() throws Exception {
            fc = context();
            super.setUp();
        }

        @Override
        protected Path getDefaultWorkingDirectory() throws IOException {
            return new Path(
                    Objects.requireNonNull(running).uri().toString(), "/user/" + System.getProperty("user.name"));
        }

        @Override
        protected boolean listCorruptedBlocksSupported() {
            return false;
        }

        /** Asks for a path while its file is being written: it is not there before it is closed. */
        @Override
        public void testSetVerifyChecksum() {
            assertThatThrownBy(super::testSetVerifyChecksum).isInstanceOf(FileNotFoundException.class);
        }
    }

    public static class CreateMkdir extends FileContextCreateMkdirBaseTest {
        @Override
        public void setUp() throws Exception {
            fc = context();
            super.setUp();
        }
    }

    public static class Permission extends FileContextPermissionBase {
        @Override
        protected FileContext getFileContext() throws IOException {
            return context();
        }
    }

    public static class Uri extends FileContextURIBase {
        @Override
        public void setUp() throws Exception {
            fc1 = context();
            fc2 = fc1;
            super.setUp();
        }

        /** Space that is used is space in the store: something has to be there. */
        @Override
        public void testFileStatus() throws IOException {
            FileContextTestHelper.createFile(fc1, qualifiedPath("packed", fc1));
            Objects.requireNonNull(running).mount().flush();
            super.testFileStatus();
        }
    }

    public static class Utilities extends FileContextUtilBase {
        @Override
        public void setUp() throws Exception {
            fc = context();
            super.setUp();
        }
    }
}

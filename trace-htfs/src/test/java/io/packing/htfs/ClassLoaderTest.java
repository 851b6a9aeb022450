// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;

/** A test that a wrapper from another class loader than HDFS's fails with the reason, instead of tracing nothing. */
class ClassLoaderTest {
    /** A class loader that loads the wrapper itself, as that of an application's jars does. */
    private static final class Application extends ClassLoader {
        Application() {
            super(ClassLoaderTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("org.apache.hadoop.hdfs.Trac") || findLoadedClass(name) != null) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] code = in.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void aWrapperBesideHdfsSaysWhereItsJarsBelong() throws Exception {
        FileSystem fs = new Application()
                .loadClass("org.apache.hadoop.hdfs.TracingDistributedFileSystem")
                .asSubclass(FileSystem.class)
                .getDeclaredConstructor()
                .newInstance();
        assertThatThrownBy(() -> fs.initialize(URI.create("hdfs://localhost:1"), new Configuration()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("class path of the process");
    }
}

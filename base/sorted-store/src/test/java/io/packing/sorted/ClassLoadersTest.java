// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Alluxio makes a second class loader for later mounts: the native libraries must load in each. */
class ClassLoadersTest {
    @TempDir
    Path temp;

    @ParameterizedTest
    @EnumSource
    void bothEnginesLoadInTwoClassLoadersOfOneProcess(SortedStoreOptions.Engine engine) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            urls.add(new File(entry).toURI().toURL());
        }
        for (String name : List.of("a", "b")) {
            try (URLClassLoader loader =
                    new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
                Method method = loader.loadClass(LoadedElsewhere.class.getName())
                        .getMethod("roundTrip", String.class, String.class);
                Object result = method.invoke(null, temp.resolve(name).toString(), engine.name());
                assertThat(result).isEqualTo("found 2");
            }
        }
    }
}

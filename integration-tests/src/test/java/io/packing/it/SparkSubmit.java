// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.it.spark.SmallFilesJob;
import io.packing.process.ClassPaths;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An application's run as by {@code spark-submit --master local[2]}.
 *
 * @param home directory of Spark's own files
 * @param jars the user's jars beside Spark's
 * @param properties as in spark-defaults.conf
 */
record SparkSubmit(
        Path home, Path logs, List<Path> jars, Map<String, String> properties, Map<String, String> environment) {
    private static final int HEAP_MB = 512;
    private static final Path LIB =
            Path.of("../lab/spark-runtime/target/spark-lib").toAbsolutePath();
    /** The packages that Spark's own launcher opens to it on Java 17, as far as a local job needs them. */
    private static final List<String> OPENED =
            List.of("java.lang", "java.lang.invoke", "java.io", "java.net", "java.nio", "java.util", "sun.nio.ch");

    /** Runs {@link SmallFilesJob}, whose last line reports its success, and returns its output. */
    List<String> run(String... arguments) throws IOException, InterruptedException {
        return run(SmallFilesJob.class, arguments);
    }

    /** Runs an application whose last line reports its success, and returns its output. */
    List<String> run(Class<?> application, String... arguments) throws IOException, InterruptedException {
        List<String> printed = new ArrayList<>();
        JavaProcess.run(command(application, arguments), logs, printed::add);
        assertThat(printed).last().asString().startsWith("done");
        return printed;
    }

    /** Returns the command of an application. */
    JavaCommand command(Class<?> application, String... arguments) {
        Map<String, String> all = new HashMap<>(Map.of(
                "spark.master", "local[2,3]",
                "spark.driver.host", "127.0.0.1",
                "spark.driver.bindAddress", "127.0.0.1",
                "spark.ui.enabled", "false",
                "spark.local.dir", home.resolve("spark").toString()));
        all.putAll(properties);
        List<String> jvm = new ArrayList<>(List.of("-Xss2m"));
        OPENED.forEach(opened -> jvm.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED"));
        List<String> classPath = new ArrayList<>();
        classPath.add(LIB + "/*");
        jars.forEach(jar -> classPath.add(jar.toString()));
        classPath.add(ClassPaths.of(application).toString());
        return new JavaCommand("spark", application.getName(), classPath, HEAP_MB, all, List.of(arguments), environment)
                .withJvmOptions(jvm)
                .brief();
    }
}

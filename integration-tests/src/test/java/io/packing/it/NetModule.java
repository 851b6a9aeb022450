// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/**
 * A substitute for the module {@code jdk.net} in a runtime without it, which no JDK is. The SDK's HTTP client asks its
 * two classes for socket options of the system, and they have none.
 */
final class NetModule {
    private static final String OPTIONS = """
        package jdk.net;

        import java.net.SocketOption;

        public final class ExtendedSocketOptions {
            public static final SocketOption<Integer> TCP_KEEPIDLE = option("TCP_KEEPIDLE");
            public static final SocketOption<Integer> TCP_KEEPINTERVAL = option("TCP_KEEPINTERVAL");
            public static final SocketOption<Integer> TCP_KEEPCOUNT = option("TCP_KEEPCOUNT");

            private static SocketOption<Integer> option(String name) {
                return new SocketOption<Integer>() {
                    @Override
                    public String name() {
                        return name;
                    }

                    @Override
                    public Class<Integer> type() {
                        return Integer.class;
                    }
                };
            }
        }
        """;
    private static final String SOCKETS = """
        package jdk.net;

        import java.net.Socket;
        import java.net.SocketOption;
        import java.util.Set;

        public final class Sockets {
            public static <T> void setOption(Socket socket, SocketOption<T> option, T value) {
                throw new UnsupportedOperationException(option.name());
            }

            public static Set<SocketOption<?>> supportedOptions(Class<?> socketType) {
                return Set.of();
            }
        }
        """;

    private NetModule() {}

    /** Compiles the classes for Java 11 into a folder for the class path. */
    static Path compile(Path folder) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("sources"));
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Path options = Files.writeString(sources.resolve("ExtendedSocketOptions.java"), OPTIONS);
        Path sockets = Files.writeString(sources.resolve("Sockets.java"), SOCKETS);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        // The compiler must not see this Java's own module with the package.
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        printed,
                        printed,
                        "-source",
                        "11",
                        "-target",
                        "11",
                        "--limit-modules",
                        "java.base",
                        "-d",
                        classes.toString(),
                        options.toString(),
                        sockets.toString());
        if (status != 0) {
            throw new IOException(printed.toString(StandardCharsets.UTF_8));
        }
        return classes;
    }
}

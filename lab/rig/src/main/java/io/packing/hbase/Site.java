// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A folder of configuration for one process, which Hadoop and HBase find on the class path.
 *
 * <p>Every file holds all settings: {@code hdfs-default.xml} and {@code hbase-default.xml} would hide those of
 * {@code core-site.xml}.
 */
final class Site {
    private static final List<String> FILES =
            List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml", "mapred-site.xml", "yarn-site.xml");

    /** The folders without which Hadoop's web servers do not start. No jar of Hadoop's servers has them. */
    private static final List<String> WEB_FOLDERS = List.of("webapps/hdfs", "webapps/datanode", "webapps/static");

    private Site() {}

    static void write(Path folder, Map<String, String> settings) throws IOException {
        for (String web : WEB_FOLDERS) {
            Files.createDirectories(folder.resolve(web));
        }
        String xml = xml(settings);
        for (String file : FILES) {
            Files.writeString(folder.resolve(file), xml);
        }
        try (InputStream log4j = Site.class.getResourceAsStream("log4j.properties")) {
            Files.write(
                    folder.resolve("log4j.properties"),
                    Objects.requireNonNull(log4j).readAllBytes());
        }
    }

    static String xml(Map<String, String> settings) {
        return new TreeMap<>(settings)
                .entrySet().stream()
                        .map(e -> "  <property><name>%s</name><value>%s</value></property>%n"
                                .formatted(escape(e.getKey()), escape(e.getValue())))
                        .collect(Collectors.joining(
                                "",
                                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration>\n",
                                "</configuration>\n"));
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}

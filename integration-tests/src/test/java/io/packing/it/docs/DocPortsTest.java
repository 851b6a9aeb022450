// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.BdtMasterOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A test that a reader's machine can have the pages' ports and folders. {@code PageCommands} cannot see that: it runs
 * the commands with others.
 */
class DocPortsTest {
    /** The default ports of programs that run beside packing. */
    private static final Map<Integer, String> OTHERS = Map.ofEntries(
            Map.entry(19_998, "Alluxio's master"),
            Map.entry(19_999, "the page of Alluxio's master"),
            Map.entry(29_999, "Alluxio's worker"),
            Map.entry(30_000, "the page of Alluxio's worker"),
            Map.entry(20_001, "Alluxio's job master"),
            Map.entry(20_002, "the page of Alluxio's job master"),
            Map.entry(20_003, "the log of Alluxio's job master"),
            Map.entry(19_200, "the log of Alluxio's master"),
            Map.entry(30_001, "Alluxio's job worker"),
            Map.entry(39_999, "Alluxio's proxy"),
            Map.entry(8_020, "HDFS"),
            Map.entry(9_870, "the page of HDFS"),
            Map.entry(9_866, "a data node of HDFS"),
            Map.entry(8_032, "YARN"),
            Map.entry(8_088, "the page of YARN"),
            Map.entry(7_077, "Spark's master"),
            Map.entry(4_040, "the page of a Spark application"),
            Map.entry(16_000, "HBase's master"));

    /** Alluxio's own address, at which the plugin answers. */
    private static final Pattern OF_ALLUXIO = Pattern.compile("packing://(?:ALLUXIO_)?MASTER\\S*");

    /** An address of a daemon of packing, as pages write it. */
    private static final Pattern ADDRESS = Pattern.compile(
            "(?:packing://|--(?:master|bind|uri|peers)[ =]|(?:master|bind) = \"?)(?:[\\w.-]+=)?([\\w.-]+):(\\d+)");

    private static final Pattern MASTER = Pattern.compile(
            "(?:packing://|--master[ =]|master = \"|bdt-master .*--bind[ =])(?:127\\.0\\.0\\.1|HOST-A):(\\d+)");
    private static final Pattern OF_ROOT = Pattern.compile("(?<![\\w./-])/(?:srv|etc|var/lib)/");

    private static List<String> lines(DocPage page) {
        List<String> lines = new ArrayList<>(page.prose());
        page.blocks().forEach(block -> lines.addAll(block.text().lines().toList()));
        return lines;
    }

    @Test
    void noDaemonOfAPageHasThePortOfAnotherProgram() throws IOException {
        List<String> taken = new ArrayList<>();
        int addresses = 0;
        for (DocPage page : DocPage.all()) {
            for (String line : lines(page)) {
                Matcher address = ADDRESS.matcher(OF_ALLUXIO.matcher(line).replaceAll(""));
                while (address.find()) {
                    addresses++;
                    int port = Integer.parseInt(address.group(2));
                    if (OTHERS.containsKey(port)) {
                        taken.add("%s: %s is the port of %s".formatted(page.name(), address.group(), OTHERS.get(port)));
                    }
                }
            }
        }
        assertThat(taken).isEmpty();
        assertThat(addresses).isGreaterThan(10);
    }

    @Test
    void mastersOfPagesHaveTheDefaultPort() throws IOException {
        String want = BdtMasterOptions.OPTIONS.stream()
                .filter(option -> option.key().equals("bdt.port"))
                .findFirst()
                .orElseThrow()
                .defaultText();
        List<String> others = new ArrayList<>();
        for (DocPage page : DocPage.all()) {
            for (String line : lines(page)) {
                MASTER.matcher(line)
                        .results()
                        .filter(found -> !found.group(1).equals(want))
                        .forEach(found -> others.add("%s: %s".formatted(page.name(), found.group())));
            }
        }
        assertThat(others).isEmpty();
    }

    @Test
    void aPageThatBeginsInFoldersOfRootSaysSo() throws IOException {
        List<String> silent = new ArrayList<>();
        for (DocPage page : DocPage.all()) {
            boolean begins = page.continues().isEmpty()
                    && page.blocks().stream()
                            .filter(block -> block.is(Mark.Kind.RUN) || block.is(Mark.Kind.FILE))
                            .anyMatch(block -> OF_ROOT.matcher(block.text()).find());
            boolean says = page.prose().stream().anyMatch(line -> line.matches(".*\\broot\\b.*"));
            if (begins && !says) {
                silent.add(page.name());
            }
        }
        assertThat(silent).isEmpty();
    }
}

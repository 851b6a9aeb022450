// SPDX-License-Identifier: Apache-2.0
package io.packing.status.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.status.StatusServer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test of the page in a real browser. */
@Timeout(180)
@Tag("process")
final class BrowserTest {
    @TempDir
    private Path home;

    private static Path chromium() {
        Optional<Path> program = Stream.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator))
                .map(folder -> Path.of(folder, "chromium"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(
                program.isPresent(), "install chromium (apt-get install chromium): the page is not tried in a browser");
        return program.orElseThrow();
    }

    /** Returns the document as the browser has it after the page has asked the daemon. */
    private String dom(Supplier<DaemonReport> source, String size) throws IOException, InterruptedException {
        Path program = chromium();
        StatusPage page = new StatusPage(source, Clock.systemUTC(), System::nanoTime);
        try (StatusServer server =
                StatusServer.start("127.0.0.1", 0, () -> "", Optional::empty, List::of, Optional.of(page))) {
            Path log = home.resolve("browser.log");
            Process browser = new ProcessBuilder(
                            program.toString(),
                            "--headless",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-dev-shm-usage",
                            "--no-first-run",
                            "--user-data-dir=" + home.resolve("profile"),
                            "--window-size=" + size,
                            "--virtual-time-budget=5000",
                            "--dump-dom",
                            "http://127.0.0.1:" + server.port() + "/")
                    .redirectError(log.toFile())
                    .start();
            try (InputStream out = browser.getInputStream()) {
                String dom = new String(out.readAllBytes(), StandardCharsets.UTF_8);
                assertThat(browser.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(dom).as(Files.readString(log)).contains("data-shown=\"true\"");
                return dom;
            } finally {
                browser.destroyForcibly();
            }
        }
    }

    @Test
    void numbersOfMountsAndWorkersAreShown() throws Exception {
        String dom = dom(() -> Reports.of(3, 2, 5), "1200,900");
        assertThat(dom)
                .contains("<title>packing: BDT master here:1</title>")
                .contains(">s3://bucket/2<", ">worker-1<", ">mount-1<", "$0.25", ">works<", "started ")
                .contains("nothing takes long")
                .contains("<svg");
    }

    @Test
    void whatOperatorsAskFirstStandsFirst() throws Exception {
        String sound = dom(() -> Reports.of(3, 2, 5), "1200,900");
        assertThat(sound.substring(sound.indexOf("id=\"answers\""), sound.indexOf("id=\"plots\"")))
                .containsSubsequence(
                        ">Lost<", ">nothing<", ">Health<", ">works<", ">Waits for a push<", ">Requests cost<");
        String hurt = dom(Reports::hostile, "1200,900");
        assertThat(hurt.substring(hurt.indexOf("id=\"answers\"")))
                .containsSubsequence("answer bad", ">Lost<", ">1 files<", "answer bad", ">Health<", ">needs you<");
    }

    @Test
    void aWorkerLeadsToItsOwnPageIfItsAddressIsOne() throws Exception {
        assertThat(dom(() -> Reports.of(1, 1, 5), "1200,900")).contains("<a href=\"http://10.0.0.1:9/\">worker-0</a>");
        String hostile = dom(Reports::hostile, "1200,900");
        assertThat(hostile.substring(hostile.indexOf("id=\"workers\""), hostile.indexOf("id=\"requests\"")))
                .doesNotContain("<a ");
    }

    @Test
    void hostileNamesStayText() throws Exception {
        String dom = dom(Reports::hostile, "400,800");
        assertThat(dom).contains("&lt;script&gt;document.title='taken'&lt;/script&gt;&lt;img src=x");
        assertThat(dom).doesNotContain("<title>taken", "<img");
        // The page's own script.
        Matcher scripts = Pattern.compile("<script").matcher(dom);
        assertThat(scripts.results()).hasSize(1);
    }

    @Test
    void directoriesAreShownWithTheirPartsOfTheCost() throws Exception {
        String dom = dom(Reports::withDirectories, "1200,900");
        assertThat(dom.substring(dom.indexOf("id=\"directories\"")))
                .containsSubsequence(
                        ">cost if unpacked<", ">/logs<", ">2,000<", ">0.50<", ">$0.0050<", ">$0.01<", ">/a<");
        assertThat(dom(() -> Reports.of(1, 1, 5), "1200,900")).contains("<section id=\"directories\" hidden");
    }

    @Test
    void aHundredMountsOfAThousandWorkersAreShownInPart() throws Exception {
        String dom = dom(() -> Reports.of(100, 1_000, 5), "1200,900");
        assertThat(dom).contains("50 of 100 ", "50 of 100,000 ", "show 1000", ">worker-999<");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessLogTest {
    /** The parts of a line before the operation, and behind the request, as the documentation of the format has them. */
    private static final String OWNER = "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be";

    private static final String HEAD =
            OWNER + " bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 " + OWNER + " 3E57427F3EXAMPLE ";
    private static final String TAIL =
            " 7 - \"-\" \"S3Console/0.4\" - s9lzHYrFp76ZVxRcpX9+5cjAnEH2ROuNkd2BHfIa6UkFVdtjf5mKR3/"
                    + "eTPFvsiP/XV/VLi31234= SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader bucket.s3.us-west-1.amazonaws.com TLSV1.2 - -";

    @TempDir
    private Path directory = Path.of("");

    static String line(String operation, String key, int status, long sent, long size) {
        return HEAD + operation + " " + key + " \"GET /bucket/" + key + " HTTP/1.1\" " + status + " - " + dash(sent)
                + " " + dash(size) + " 12" + TAIL;
    }

    private static String dash(long number) {
        return number == 0 ? "-" : String.valueOf(number);
    }

    @Test
    void readsEveryFieldOfThePublishedExample() throws MalformedLogLineException {
        AccessLogLine line = AccessLogLine.parse(HEAD
                + "REST.GET.OBJECT photos/2019%2F08/a+b%20c.jpg \"GET /bucket/photos/a?x=\"q\"&y HTTP/1.1\" 404 NoSuchKey 297 1024 12 7"
                + " \"https://example.com/a b\" \"aws-cli/2.0 \"quoted\" md/x\" 3HL4kqtJvjVBH40Nrjfkd x= SigV4 - AuthHeader host TLSv1.3 - Yes"
                + " a-field-of-a-later-version");
        assertThat(line)
                .isEqualTo(new AccessLogLine(
                        "bucket",
                        Instant.parse("2019-02-06T00:00:38Z"),
                        false,
                        "REST.GET.OBJECT",
                        Optional.of("photos/2019/08/a+b c.jpg"),
                        404,
                        "NoSuchKey",
                        297,
                        1024));
    }

    @ParameterizedTest
    @CsvSource({
        "REST.PUT.OBJECT, 200, 1,0,0,0,0, 0,0",
        "REST.PUT.PART, 200, 1,0,0,0,0, 0,0",
        "REST.POST.UPLOADS, 200, 1,0,0,0,0, 0,0",
        "REST.POST.UPLOAD, 200, 1,0,0,0,0, 0,0",
        "REST.COPY.OBJECT, 200, 1,0,0,0,0, 0,0",
        "REST.COPY.OBJECT_GET, 200, 0,0,0,0,0, 0,0",
        "REST.GET.OBJECT, 206, 0,0,1,0,0, 0,0",
        "REST.GET.OBJECT, 404, 0,0,1,0,0, 0,0",
        "WEBSITE.GET.OBJECT, 200, 0,0,1,0,0, 0,0",
        "REST.GET.BUCKET, 200, 0,1,0,0,0, 0,0",
        "REST.GET.UPLOADS, 200, 0,1,0,0,0, 0,0",
        "REST.HEAD.OBJECT, 200, 0,0,0,1,0, 0,0",
        "REST.DELETE.OBJECT, 204, 0,0,0,0,1, 0,0",
        "REST.DELETE.UPLOAD, 204, 0,0,0,0,1, 0,0",
        "REST.POST.MULTI_OBJECT_DELETE, 200, 0,0,0,0,1, 0,0",
        "BATCH.DELETE.OBJECT, 204, 0,0,0,0,0, 0,0",
        "S3.EXPIRE.OBJECT, 0, 0,0,0,0,0, 0,0",
        "REST.PUT.OBJECT, 412, 1,0,0,0,0, 0,0",
        "REST.PUT.OBJECT, 503, 0,0,0,0,0, 1,0",
        "REST.PUT.OBJECT, 500, 0,0,0,0,0, 0,1",
        "REST.PUT.OBJECT, 0, 0,0,0,0,0, 0,1",
        "REST.PUT.OBJECT, 403, 1,0,0,0,0, 0,0",
    })
    void anOperationIsBilledByItsKindAndItsAnswer(
            String operation, int status, int put, int list, int get, int head, int delete, int refused, int failed)
            throws MalformedLogLineException {
        String text = line(operation, "key", status, 0, 10);
        AccessLogLine line = AccessLogLine.parse(status == 0 ? text.replace("\" 0 - ", "\" - - ") : text);
        assertThat(line.billed()).contains(new BilledRequests(put, list, get, head, delete, refused, failed));
    }

    @Test
    void aRefusedCallerWithoutAnIdentityIsNotBilled() throws MalformedLogLineException {
        String text = line("REST.PUT.OBJECT", "key", 403, 0, 0).replace("192.0.2.3 " + OWNER, "192.0.2.3 -");
        assertThat(AccessLogLine.parse(text).billed()).contains(new BilledRequests(0, 0, 0, 0, 0, 0, 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "garbage",
                "a b c d",
                OWNER
                        + " bucket [06/Feb/2019:00:00:38 +0000 192.0.2.3 - id REST.PUT.OBJECT key \"PUT /\" 200 - - - 1 1 - - -",
                OWNER + " bucket [yesterday] 192.0.2.3 - id REST.PUT.OBJECT key \"PUT /\" 200 - - - 1 1 - - -",
                OWNER
                        + " bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 - id REST.PUT.OBJECT key \"PUT / 200 - - - 1 1 - - -",
                OWNER
                        + " bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 - id REST.PUT.OBJECT key \"PUT /\" 999 - - - 1 1 - - -",
                OWNER
                        + " bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 - id REST.PUT.OBJECT key \"PUT /\" 200 - -5 - 1 1 - - -",
                OWNER
                        + " bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 - id REST.PUT.OBJECT key \"PUT /\" 200 - - 99999999999999999999 1 1"
                        + " - - -",
                OWNER
                        + " bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 - id rest.put key \"PUT /\" 200 - - - 1 1 - - -",
                OWNER
                        + "  bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 - id REST.PUT.OBJECT key \"PUT /\" 200 - - - 1 1 - - -",
            })
    void aLineThatIsNoneIsRefused(String line) {
        assertThatThrownBy(() -> AccessLogLine.parse(line)).isInstanceOf(MalformedLogLineException.class);
    }

    /** A cut within the fields that count is found; behind them nothing that counts is lost. */
    @Test
    void aLineThatIsCutAnywhereIsRefusedOrHasAllThatCounts() throws MalformedLogLineException {
        String whole = line("REST.PUT.OBJECT", "key", 200, 5, 4096);
        AccessLogLine all = AccessLogLine.parse(whole);
        int refused = 0;
        for (int end = 0; end < whole.length(); end++) {
            try {
                assertThat(AccessLogLine.parse(whole.substring(0, end))).isEqualTo(all);
            } catch (MalformedLogLineException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(whole.indexOf("12" + TAIL));
    }

    @Test
    void noBytesMakeTheReaderFail() throws IOException {
        Random random = Seed.random();
        byte[] bytes = new byte[200_000];
        random.nextBytes(bytes);
        String text = line("REST.PUT.OBJECT", "key", 200, 0, 1) + "\n";
        Path file = directory.resolve("log");
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.write(bytes);
            out.write(("\n" + text).getBytes(StandardCharsets.UTF_8));
        }
        LogBill bill = LogBill.read(List.of(file), AccessLog.Part.ALL, 1);
        assertThat(bill.requests().puts()).isEqualTo(2);
        assertThat(bill.log().malformed()).isPositive();
        assertThat(bill.log().lines()).isEqualTo(2 + bill.log().malformed());
        assertThat(bill.log().named()).hasSizeBetween(1, 10).allMatch(name -> name.startsWith(file + ", line "));
    }

    @Test
    void readsDirectoriesAndCompressedFilesAndCountsWhatItCannotRead() throws IOException {
        Files.createDirectories(directory.resolve("logs/2019"));
        Files.writeString(
                directory.resolve("logs/2019/a"),
                line("REST.PUT.OBJECT", "hot/x/1", 200, 0, 100) + "\r\n\n"
                        + line("REST.PUT.OBJECT", "hot/y/2", 503, 0, 100) + "\n"
                        + line("REST.PUT.OBJECT", "hot/y/2", 200, 0, 50) + "\n"
                        + line("REST.BREW.COFFEE", "a", 200, 0, 0)
                        + "\n" + "x".repeat(AccessLog.LONGEST_LINE + 10) + "\n");
        byte[] rest = (line("REST.GET.OBJECT", "cold/1", 200, 7, 7) + "\n" + line("REST.GET.BUCKET", "-", 200, 7, 0)
                        + "\n")
                .getBytes(StandardCharsets.UTF_8);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(directory.resolve("logs/b.gz")))) {
            out.write(rest);
        }
        Files.writeString(directory.resolve("logs/c.gz"), "no gzip");
        LogBill bill = LogBill.read(List.of(directory.resolve("logs")), AccessLog.Part.ALL, 1);
        assertThat(bill.requests()).isEqualTo(new BilledRequests(2, 1, 1, 0, 0, 1, 0));
        assertThat(bill.storedBytes()).isEqualTo(150);
        assertThat(bill.directories().keySet()).containsExactlyInAnyOrder("/hot", "/cold", "/");
        assertThat(bill.directories().get("/hot"))
                .isEqualTo(new LogBill.DirectoryRequests(2, 150, new BilledRequests(2, 0, 0, 0, 0, 1, 0)));
        assertThat(bill.log().unknown()).containsOnlyKeys("REST.BREW.COFFEE");
        assertThat(bill.log().malformed()).isEqualTo(2);
        assertThat(bill.log().unpriced()).isEqualTo(3);
        assertThat(bill.log().named())
                .anyMatch(name -> name.contains("a, line 6: it is longer than 65,536 characters"))
                .anyMatch(name -> name.contains("c.gz, line 1: the compressed file is damaged"));
    }

    @Test
    void readsThePartThatIsAskedFor() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(line("REST.PUT.OBJECT", "mount/blobs/1", 200, 0, 1));
        lines.add(line("REST.PUT.OBJECT", "other/1", 200, 0, 1));
        lines.add(line("REST.GET.BUCKET", "-", 200, 0, 0)
                .replace("GET /bucket/- ", "GET /bucket?list-type=2&prefix=mount%2Fblobs%2F&max-keys=9 "));
        lines.add(line("REST.PUT.OBJECT", "mount/blobs/2", 200, 0, 1).replace("00:00:38", "00:00:40"));
        lines.add(line("REST.PUT.OBJECT", "mount/blobs/3", 200, 0, 1).replace(" bucket [", " another ["));
        Path file = Files.write(directory.resolve("log"), lines);
        AccessLog.Part part = new AccessLog.Part(
                Optional.of("bucket"),
                "mount/",
                Optional.of(Instant.parse("2019-02-06T00:00:38Z")),
                Optional.of(Instant.parse("2019-02-06T00:00:40Z")));
        LogBill bill = LogBill.read(List.of(file), part, 0);
        assertThat(bill.requests()).isEqualTo(new BilledRequests(1, 1, 0, 0, 0, 0, 0));
        assertThat(bill.log().elsewhere()).isEqualTo(3);
        assertThatThrownBy(() -> LogBill.read(List.of(directory.resolve("none")), part, 0))
                .isInstanceOf(NoSuchFileException.class);
    }
}

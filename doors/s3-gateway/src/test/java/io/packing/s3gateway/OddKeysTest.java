// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.s3gateway.objects.KeyPaths;
import io.packing.s3gateway.protocol.UriText;
import io.packing.s3gateway.protocol.Utf8Order;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More than two hundred odd keys, of the kinds of Ceph's s3-tests: each is an object like any other, or refused by its name. */
@Timeout(120)
class OddKeysTest {
    private static final Pattern KEY = Pattern.compile("<Key>(.*?)</Key>");

    @TempDir
    private Path home;

    private TestGateway gateway;
    private SignedHttp client;

    @BeforeEach
    void start() throws IOException {
        gateway = TestGateway.start(home);
        client = new SignedHttp(gateway.uri(), TestGateway.ALICE);
        assertThat(client.ask("PUT", "/odd").status()).isEqualTo(200);
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
    }

    /** Keys that S3 takes, and that the gateway takes. */
    private static Set<String> taken() {
        Set<String> keys = new LinkedHashSet<>();
        for (char c = 1; c < 0x80; c++) {
            keys.add("c" + c);
            keys.add(c + "/c");
        }
        keys.addAll(List.of(
                "/",
                "//",
                "///",
                "a",
                "a/",
                "a//",
                "a//b",
                "a/b",
                "/a",
                "//a",
                "a/b/",
                ".",
                "..",
                "./",
                "../",
                "./a",
                "../a",
                "a/.",
                "a/..",
                "a/./b",
                "a/../b",
                "a/../../b",
                "...",
                ".a",
                "a.",
                ".snapshot",
                ".snapshot/x",
                "a/.snapshot/b",
                ".reserved",
                ".reserved/scratch/x",
                ".%",
                ".%/a",
                ".%2E",
                ".%=",
                "a/.%=",
                "a/.%",
                ".%.%25",
                ".%25",
                "%",
                "%00",
                "%2F",
                "%2e%2e/x",
                "a%20b",
                "a+b",
                "a b",
                " ",
                " a",
                "a ",
                "a  b",
                "a\tb",
                "a\nb",
                "a\rb",
                "\u0001",
                "\u007f",
                "\u0085",
                "\u00a0",
                "\u00e4\u00f6\u00fc",
                "a\u0308",
                "\u00e4",
                "\u20ac/\u20ac",
                "\u4e2d\u6587",
                "\u0639\u0631\u0628\u064a",
                "\u202ea",
                "\ufeff",
                "\ufffd",
                "\ufffe",
                "\uffff",
                "\ue000",
                "\ud83d\ude00",
                "\ud83d\ude00/\ud800\udc00",
                "\udbff\udfff",
                "<>&\"'",
                "]]>",
                "<!--",
                "a=b&c=d",
                "?a",
                "a?b#c",
                "#",
                "~",
                "*",
                "{}[]|\\^`",
                "C:\\x",
                "con",
                "nul",
                "a:b",
                "http://x/y",
                "..%2f..%2fetc",
                "-",
                "--help",
                "$HOME",
                "`id`",
                "${x}",
                "'; DROP TABLE x; --",
                "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p",
                "a-b",
                "a.b",
                "a0",
                "A",
                "a\u0301"));
        keys.add("l".repeat(255));
        keys.add("l".repeat(255) + "/" + "m".repeat(255) + "/" + "n".repeat(255) + "/" + "o".repeat(255) + "/");
        keys.add("\u20ac".repeat(85));
        keys.add("a/".repeat(400) + "b");
        keys.add("x" + "/".repeat(900));
        return keys;
    }

    private static String path(String key) {
        return "/odd/" + UriText.encode(key, true);
    }

    @Test
    void anOddKeyIsAnObjectLikeAnyOther() throws IOException {
        NavigableSet<String> keys = new TreeSet<>(Utf8Order.INSTANCE);
        keys.addAll(taken());
        assertThat(keys).hasSizeGreaterThan(200);
        List<String> failures = new ArrayList<>();
        for (String key : keys) {
            byte[] body = ("of " + key).getBytes(StandardCharsets.UTF_8);
            SignedHttp.Answer put = client.ask("PUT", path(key), "", body, Map.of());
            if (put.status() != 200) {
                failures.add("PUT %s: %s".formatted(key, put.text()));
            }
        }
        for (String key : keys) {
            SignedHttp.Answer got = client.ask("GET", path(key));
            if (got.status() != 200 || !got.body().equals("of " + key)) {
                failures.add("GET %s: %s".formatted(key, got.text()));
            }
        }
        assertThat(failures).isEmpty();
        assertThat(listed("")).containsExactlyElementsOf(keys);
        assertThat(listed("a/"))
                .containsExactlyElementsOf(
                        keys.stream().filter(key -> key.startsWith("a/")).toList());
        for (String key : keys) {
            SignedHttp.Answer deleted = client.ask("DELETE", path(key));
            if (deleted.status() != 204 || client.ask("GET", path(key)).status() != 404) {
                failures.add("DELETE %s: %s".formatted(key, deleted.text()));
            }
        }
        assertThat(failures).isEmpty();
        assertThat(listed("")).isEmpty();
        assertThat(client.ask("DELETE", "/odd").status()).isEqualTo(204);
    }

    private List<String> listed(String prefix) throws IOException {
        List<String> all = new ArrayList<>();
        String token = "";
        for (boolean more = true; more; ) {
            String query = (token.isEmpty() ? "" : "continuation-token=" + UriText.encode(token, false) + "&")
                    + "encoding-type=url&list-type=2&max-keys=7&prefix=" + UriText.encode(prefix, false);
            String page =
                    client.ask("GET", "/odd", query, new byte[0], Map.of()).body();
            for (MatchResult each : KEY.matcher(page).results().toList()) {
                all.add(UriText.decodePath(each.group(1)));
            }
            more = page.contains("<NextContinuationToken>");
            token = more
                    ? page.substring(
                            page.indexOf("<NextContinuationToken>") + 23, page.indexOf("</NextContinuationToken>"))
                    : "";
        }
        return all;
    }

    @Test
    void keysThatNoFileCanHaveAreRefusedByName() throws IOException {
        Map<String, String> refused = Map.of(
                "a\0b",
                "InvalidURI",
                "../../x",
                "InvalidURI",
                "k".repeat(1_025),
                "KeyTooLongError",
                "k".repeat(2_000),
                "KeyTooLongError",
                "k".repeat(256),
                "KeyTooLongError",
                "a/" + "k".repeat(300) + "/b",
                "KeyTooLongError",
                "/".repeat(1_024),
                "KeyTooLongError");
        for (Map.Entry<String, String> each : refused.entrySet()) {
            for (String method : List.of("PUT", "GET", "DELETE")) {
                SignedHttp.Answer answer = client.ask(method, path(each.getKey()));
                assertThat(answer.status()).as(method).isEqualTo(400);
                assertThat(answer.code()).as(method).isEqualTo(each.getValue());
            }
        }
        for (String raw : List.of("/odd/%ff", "/odd/%c3%28", "/odd/%zz", "/odd/%", "/odd/%ed%a0%80")) {
            SignedHttp.Answer answer = client.ask("PUT", raw);
            assertThat(answer.status()).as(raw).isEqualTo(400);
            assertThat(answer.code()).as(raw).isEqualTo("InvalidURI");
        }
        assertThat(listed("")).isEmpty();
        assertThat(KeyPaths.MOST_KEY_BYTES).isEqualTo(1_024);
    }
}

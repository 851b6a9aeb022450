// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Takes the native parts for other systems out of the jars of a folder. Servers run on Linux with glibc, on x86-64 or ARM64.
 *
 * <p>Arguments: the folder; or {@code --check} and the folder, to name the parts that are too many and fail if there are any.
 */
final class LinuxNatives {
    private static final Pattern NATIVE = Pattern.compile(".*\\.(so|dll|jnilib|dylib|a|sl)");
    private static final Pattern OURS = Pattern.compile(
            "(?!.*(musl|android|freebsd|sunos|aix|darwin|mac|osx|win)).*(x86_64|amd64|linux64|aarch_?64).*\\.so");

    public static void main(String[] args) throws IOException {
        boolean check = args.length == 2 && args[0].equals("--check");
        int found = 0;
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(args[args.length - 1]), "*.jar")) {
            for (Path jar : jars) {
                int foreign = foreign(jar, check);
                found += foreign;
                if (foreign > 0 && !check) {
                    rewrite(jar);
                }
            }
        }
        if (check && found > 0) {
            System.exit(1);
        }
    }

    private static boolean isForeign(ZipEntry entry) {
        String name = entry.getName().toLowerCase(Locale.ROOT);
        return NATIVE.matcher(name).matches() && !OURS.matcher(name).matches();
    }

    private static int foreign(Path jar, boolean tell) throws IOException {
        int found = 0;
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                if (isForeign(entry)) {
                    found++;
                    if (tell) {
                        System.err.println(jar.getFileName() + ": " + entry.getName());
                    }
                }
            }
        }
        return found;
    }

    private static void rewrite(Path jar) throws IOException {
        Path small = jar.resolveSibling(jar.getFileName() + ".small");
        try (ZipFile zip = new ZipFile(jar.toFile());
                OutputStream file = Files.newOutputStream(small);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                if (isForeign(entry)) {
                    continue;
                }
                ZipEntry copy = new ZipEntry(entry.getName());
                copy.setTime(entry.getTime());
                out.putNextEntry(copy);
                try (InputStream in = zip.getInputStream(entry)) {
                    in.transferTo(out);
                }
                out.closeEntry();
            }
        }
        Files.move(small, jar, StandardCopyOption.REPLACE_EXISTING);
    }
}

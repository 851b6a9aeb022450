// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

/** The suite and its inputs. */
class TaskSuiteTest {
    private final TaskSuite suite = TaskSuite.ofProgram();

    @Test
    void eachOfThePapersTasksHasOneThatStandsForIt() throws IOException {
        PaperTable table = PaperTable.read();
        List<String> papers = suite.tasks().stream()
                .map(UserTask::paper)
                .filter(paper -> !paper.isEmpty())
                .toList();
        assertThat(papers)
                .hasSize(34)
                .doesNotHaveDuplicates()
                .allMatch(paper -> table.of(paper).isPresent());
        assertThat(suite.tasks()).extracting(UserTask::name).doesNotHaveDuplicates();
    }

    @Test
    void everyProgramThatIsNeededHasAPackage() {
        for (UserTask task : suite.tasks()) {
            assertThat(suite.packages().keySet()).as(task.name()).containsAll(task.needs());
        }
    }

    @Test
    void anUnknownTaskIsRefusedWithThoseThatThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> suite.only(List.of("writer-dog")))
                .withMessageContaining("'writer-dog'")
                .withMessageContaining("writer-doc");
        assertThat(suite.only(List.of("writer-doc")).tasks()).hasSize(1);
    }

    @Test
    void thePapersNumbersAreThoseOfItsTable() throws IOException {
        assertThat(PaperTable.read().of("Pages DOCP"))
                .contains(List.of(385.0, 111.3, 952.0, 183.8, 61.1, 38.9, 46.3, 8.9));
    }

    @Test
    void photosAreTheSameForTheSameNumberAndPictures() throws IOException {
        byte[] photo = Photo.jpeg(3, 1_280, 960, 0.75f);
        assertThat(photo).isEqualTo(Photo.jpeg(3, 1_280, 960, 0.75f)).isNotEqualTo(Photo.jpeg(4, 1_280, 960, 0.75f));
        byte[] copy = Photo.copy(photo, 7);
        assertThat(copy).hasSize(photo.length + 12).isNotEqualTo(Photo.copy(photo, 8));
        assertThat(ImageIO.read(new ByteArrayInputStream(copy)).getHeight()).isEqualTo(960);
        assertThat(ImageIO.read(new ByteArrayInputStream(photo)).getWidth()).isEqualTo(1_280);
        assertThat(photo.length).isGreaterThan(100_000);
    }

    @Test
    void photosOfThePapersSizeHave2Point5Megabytes() throws IOException {
        TaskSize paper = TaskSize.named("paper");
        assertThat(paper.photos()).isEqualTo(400);
        assertThat(Photo.jpeg(1, paper.width(), paper.height(), paper.quality()).length)
                .isBetween(2_200_000, 2_800_000);
    }

    @Test
    void anUnknownSizeIsRefusedWithThoseThatThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TaskSize.named("huge"))
                .withMessageContaining("'huge'")
                .withMessageContaining("[paper, small]");
    }

    @Test
    void inputsThatTasksNameAreMade() {
        for (UserTask task : suite.tasks()) {
            Matcher named = Pattern.compile("\\$IN/([a-z]+)[/\"]").matcher(task.setup());
            while (named.find()) {
                assertThat(suite.inputs().containsKey(named.group(1))
                                || List.of("profile", "photos").contains(named.group(1)))
                        .as(task.name() + " " + named.group(1))
                        .isTrue();
            }
        }
    }

    @Test
    void documentsAreWellFormedAndHaveTheirPicturesPagesAndSheets()
            throws IOException, ParserConfigurationException, SAXException {
        byte[] picture = {1, 2, 3};
        assertThat(elements(FlatDocument.text(15, List.of(picture, picture)), "draw:image"))
                .isEqualTo(2);
        assertThat(elements(FlatDocument.sheets(5), "table:table")).isEqualTo(5);
        assertThat(elements(FlatDocument.slides(20, List.of()), "draw:page")).isEqualTo(20);
        assertThat(elements(FlatDocument.slides(20, List.of(picture)), "draw:image"))
                .isEqualTo(1);
    }

    private static int elements(String document, String name)
            throws IOException, ParserConfigurationException, SAXException {
        Document parsed = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8)));
        return parsed.getElementsByTagName(name).getLength();
    }
}

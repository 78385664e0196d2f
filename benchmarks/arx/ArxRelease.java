import java.io.BufferedWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXListener;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;

/**
 * A release as ARX's own program makes it, row by row in the order of its input, for leaks.py.
 *
 * <p>Usage: ArxRelease TABLE.csv (with ;) HIERARCHIES K COLUMN,COLUMN,.. global|local GS STEP OUT.csv
 *
 * <p>HIERARCHIES is a folder with adult_hierarchy_COLUMN.csv, or - for stars alone. global: the one vector of least loss
 * (summed) for all rows, any number of rows suppressed. local: then ARX's local recoding, STEP of the rows at a time, with
 * suppression weighed by GS.
 */
public class ArxRelease {
  public static void main(String[] args) throws Exception {
    Path hierarchies = args[1].equals("-") ? null : Paths.get(args[1]);
    Set<String> asked = new HashSet<>(Arrays.asList(args[3].split(",")));
    double weight = Double.parseDouble(args[5]);
    Data data = Data.create(args[0], StandardCharsets.UTF_8, ';');
    DataHandle given = data.getHandle();
    for (int c = 0; c < given.getNumColumns(); c++) {
      String name = given.getAttributeName(c);
      AttributeType role = AttributeType.INSENSITIVE_ATTRIBUTE;
      if (asked.contains(name) && hierarchies != null) {
        String file = hierarchies.resolve("adult_hierarchy_" + name + ".csv").toString();
        role = AttributeType.Hierarchy.create(file, StandardCharsets.UTF_8, ';');
      } else if (asked.contains(name)) {
        AttributeType.Hierarchy.DefaultHierarchy stars = AttributeType.Hierarchy.create();
        for (String value : given.getDistinctValues(c)) {
          stars.add(value, "*");
        }
        role = stars;
      }
      data.getDefinition().setAttributeType(name, role);
    }
    ARXConfiguration how = ARXConfiguration.create();
    how.addPrivacyModel(new KAnonymity(Integer.parseInt(args[2])));
    boolean local = args[4].equals("local");
    double step = Double.parseDouble(args[6]);
    how.setSuppressionLimit(local ? 1d - step : 1d);
    how.setQualityModel(Metric.createLossMetric(weight, Metric.AggregateFunction.SUM));
    ARXResult result = new ARXAnonymizer().anonymize(data, how);
    DataHandle made = result.getOutput();
    if (local && result.isOptimizable(made)) {
      result.optimizeIterativeFast(made, step, weight, new ARXListener() {
        @Override
        public void progress(double share) {}
      });
    }
    try (BufferedWriter out = Files.newBufferedWriter(Paths.get(args[7]), StandardCharsets.UTF_8)) {
      for (int r = -1; r < made.getNumRows(); r++) {
        List<String> cells = new ArrayList<>();
        for (int c = 0; c < made.getNumColumns(); c++) {
          cells.add(r < 0 ? made.getAttributeName(c) : made.getValue(r, c));
        }
        out.write(String.join(";", cells));
        out.newLine();
      }
    }
  }
}

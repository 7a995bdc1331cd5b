from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0055_terminals")]

    operations = [
        Sql("people.sql", "a63d86ca19476095c4ce49ba3af8b81e55bd91914d28c7e02279c771f706a395"),
        Sql("credentials.sql", "240aeb682c8fbb345039e57597caa341fed6079847d4e7bc57c31a0f63d0ae33"),
        Sql("rulesheets.sql", "ae882caef5c79e4df567a17a8315095fc3f98fda723921c3154edf4177bc38a3"),
    ]
